import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

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
  /** The version of the AWS JSON protocol that the service has. */
  readonly jsonVersion: '1.0' | '1.1';
  readonly body: string;
}

/** The headers of a JSON call, signed with Signature Version 4. The path of `url` must need no escapes. */
export function signedHeaders(call: JsonCall, credentials: Credentials, now = new Date()): Record<string, string> {
  const { url, service, region, target, jsonVersion, body } = call;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const headers: Record<string, string> = {
    'content-type': `application/x-amz-json-${jsonVersion}`,
    host: url.host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': target,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const request = ['POST', url.pathname, '', ...lines, '', names, hash('sha256', body)].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const signature = signatureOf(request, time, scope, secretAccessKey);
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** Signs a request in its canonical form. @param scope `<day>/<region>/<service>/aws4_request` */
export function signatureOf(request: string, time: string, scope: string, secret: string): string {
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', request)].join('\n');
  return createHmac('sha256', signingKey(secret, scope)).update(toSign).digest('hex');
}

/** The key of the last call: a key takes four hashes to make, and is valid for a day. */
let last: { readonly secret: string; readonly scope: string; readonly key: KeyObject } | undefined;

function signingKey(secret: string, scope: string): KeyObject {
  if (last?.secret !== secret || last.scope !== scope) {
    last = { secret, scope, key: createSecretKey(scope.split('/').reduce(hmac, Buffer.from(`AWS4${secret}`))) };
  }
  return last.key;
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
