import { accessDenied, badRequest, parameter, S3Error, type S3Request } from './s3-request.ts';
import { type Credentials, isSignedBy, type Signed } from './signature.ts';

const skewMillisecondsMax = 15 * 60_000;
const expirySecondsMax = 7 * 86_400;

interface Claim extends Signed {
  /** `<access key id>/<day>/<region>/s3/aws4_request` */
  readonly credential: string;
}

/**
 * Checks the signature of a request as S3 does, in its headers or in its address.
 * @returns `presigned` is true for a signature in the address
 * @throws S3Error without a signature, or with one for another secret, time or request
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
  const claim = presigned ? readQueryClaim(request, now) : readHeaderClaim(request, now);
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

function readHeaderClaim({ headers }: S3Request, now: number): Claim {
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

function readQueryClaim(request: S3Request, now: number): Claim {
  const amz = (name: string) => parameter(request, `X-Amz-${name}`) ?? '';
  const time = amz('Date');
  const expirySeconds = Number(amz('Expires') || 'none');
  if (amz('Algorithm') !== 'AWS4-HMAC-SHA256' || !(expirySeconds >= 1 && expirySeconds <= expirySecondsMax)) {
    throw badRequest('AuthorizationQueryParametersError', 'The signature in the address is malformed.');
  }
  const signedAt = timeOf(time);
  if (!(now >= signedAt - skewMillisecondsMax && now <= signedAt + expirySeconds * 1_000)) {
    throw accessDenied('Request has expired');
  }
  return {
    credential: amz('Credential'),
    headers: amz('SignedHeaders').split(';'),
    signature: amz('Signature'),
    time,
    payloadHash: amz('Content-Sha256') || String(request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD'),
  };
}

/** Every `x-amz-` header must be signed, because it can change the meaning of the request. */
function requireAllSigned({ headers }: S3Request, { headers: signed }: Claim): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signed.includes(name));
  if (!signed.includes('host') || unsigned.length > 0) {
    throw accessDenied('There were headers present in the request which were not signed');
  }
}

/** @returns NaN for an invalid time */
const timeOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
