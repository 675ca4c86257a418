import { createHash, createHmac } from 'node:crypto';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Present for the temporary credentials of a role. */
  readonly sessionToken?: string | undefined;
}

export interface JsonCall {
  readonly url: URL;
  readonly service: string;
  readonly region: string;
  /** The operation, as `service.Operation`. */
  readonly target: string;
  readonly body: string;
}

/** The headers of a JSON call to the root path of an AWS service, signed with Signature Version 4. */
export function signedHeaders(call: JsonCall, credentials: Credentials, now = new Date()): Record<string, string> {
  const { url, service, region, target, body } = call;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.1',
    host: url.host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': target,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const request = ['POST', '/', '', ...lines, '', names, sha256(body)].join('\n');
  const scope = [day, region, service, 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request)].join('\n');
  const signature = hmac(scope.reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`)), toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
