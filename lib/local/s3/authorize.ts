import { accessDenied, badRequest, S3Error } from './s3-error.ts';
import { parameter, type S3Request } from './s3-request.ts';
import { type Credentials, isSignedBy, type Signed } from './signature.ts';

const skewMillisecondsMax = 15 * 60_000;
const expirySecondsMax = 7 * 86_400;

interface Claim extends Signed {
  /** `<access key id>/<day>/<region>/s3/aws4_request` */
  readonly credential: string;
}

/**
 * Holds a request against the credentials, as S3 does: signed by its headers, or in its address.
 * @returns whether it was signed in its address, by which it may be anybody's
 * @throws S3Error when it is not signed, not by this secret, not for this moment, or has changed since
 */
export function authorize(
  credentials: Credentials,
  request: S3Request,
  now = Date.now(),
): { readonly presigned: boolean } {
  const presigned = parameter(request, 'X-Amz-Signature') !== undefined;
  if (presigned && request.headers.authorization !== undefined) {
    throw badRequest('InvalidArgument', 'Only one auth mechanism allowed.');
  }
  const claim = presigned ? claimOfAddress(request, now) : claimOfHeaders(request, now);
  const [accessKeyId, ...scope] = claim.credential.split('/');
  if (accessKeyId !== credentials.accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key id you provided does not exist in our records.');
  }
  if (scope.join('/') !== `${claim.time.slice(0, 8)}/${credentials.region}/s3/aws4_request`) {
    throw badRequest('AuthorizationHeaderMalformed', 'The credential is not of this day, region and service.');
  }
  requireAllSigned(request, claim);
  if (!isSignedBy(credentials, request, claim)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The request signature does not match the one you provided.');
  }
  return { presigned };
}

function claimOfHeaders({ headers }: S3Request, now: number): Claim {
  const { authorization } = headers;
  if (authorization === undefined) throw accessDenied('Anonymous access is forbidden.');
  const parts = /^AWS4-HMAC-SHA256 Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})$/.exec(
    authorization,
  );
  const [, credential = '', signedHeaders = '', signature = ''] = parts ?? [];
  const time = String(headers['x-amz-date'] ?? '');
  const payloadHash = headers['x-amz-content-sha256'];
  if (!parts) throw badRequest('AuthorizationHeaderMalformed', 'The authorization header is malformed.');
  if (typeof payloadHash !== 'string') throw badRequest('InvalidRequest', 'Missing x-amz-content-sha256.');
  if (!(Math.abs(timeOf(time) - now) <= skewMillisecondsMax)) {
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The time of the request is too far from the server time.');
  }
  return { credential, headers: signedHeaders.split(';'), signature, time, payloadHash };
}

function claimOfAddress(request: S3Request, now: number): Claim {
  const given = (name: string) => parameter(request, `X-Amz-${name}`) ?? '';
  const [time, expires] = [given('Date'), Number(given('Expires') || 'none')];
  if (given('Algorithm') !== 'AWS4-HMAC-SHA256' || !(expires >= 1 && expires <= expirySecondsMax)) {
    throw badRequest('AuthorizationQueryParametersError', 'The signature in the address is malformed.');
  }
  const madeAt = timeOf(time);
  if (!(now >= madeAt - skewMillisecondsMax && now <= madeAt + expires * 1_000))
    throw accessDenied('Request has expired');
  return {
    credential: given('Credential'),
    headers: given('SignedHeaders').split(';'),
    signature: given('Signature'),
    time,
    payloadHash: given('Content-Sha256') || String(request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD'),
  };
}

/** Headers that can change the meaning of a request must be signed. */
function requireAllSigned({ headers }: S3Request, { headers: signed }: Claim): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signed.includes(name));
  if (!signed.includes('host') || unsigned.length > 0) {
    throw accessDenied('There were headers present in the request which were not signed');
  }
}

/** @returns NaN for what is no time */
const timeOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
