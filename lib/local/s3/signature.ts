import { timingSafeEqual } from 'node:crypto';
import { signatureOf } from '#lib/secrets/signed-headers.ts';
import type { S3Request } from './s3-request.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The signed parts of a request (AWS Signature Version 4). */
export interface Signed {
  /** `20260101T000000Z` */
  readonly time: string;
  readonly headers: readonly string[];
  readonly payloadHash: string;
  readonly signature: string;
}

/** True when the signature of a request is made with the secret. */
export function isSignedBy(credentials: Credentials, request: S3Request, signed: Signed): boolean {
  const { region, secretAccessKey } = credentials;
  const { time } = signed;
  const sent = Buffer.from(signed.signature);
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const own = signatureOf(canonicalRequest(request, signed), time, scope, secretAccessKey);
  return own.length === sent.length && timingSafeEqual(Buffer.from(own), sent);
}

function canonicalRequest({ method, path, query, headers }: S3Request, signed: Signed): string {
  const pairs = query.filter(([name]) => name !== 'X-Amz-Signature').map((pair) => pair.map(encode).join('='));
  const lines = signed.headers.map((name) => `${name}:${canonicalValue(headers[name])}\n`);
  return [
    method,
    `/${path.map(encode).join('/')}`,
    pairs.sort().join('&'),
    lines.join(''),
    signed.headers.join(';'),
    signed.payloadHash,
  ].join('\n');
}

const canonicalValue = (value: string | string[] = ''): string =>
  [value].flat().join(',').trim().replaceAll(/ +/g, ' ');

/** Percent-encodes all but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
