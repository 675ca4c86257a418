import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** What the script asks with. */
export interface Asked {
  /** The public address, without a slash at its end. */
  readonly url: string;
  /** A key that may read entries. With the rights of messaging, files are uploaded and downloaded, too. */
  readonly key: string;
  /** The host of a website whose channel has an agent. A visitor writes there. @default nothing is written */
  readonly website?: string | undefined;
  /** The table, to which the credentials of the environment may not write keys. @default not tried */
  readonly deniedTable?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The parts in which the body arrived. */
  readonly parts: number;
}

/** Checks by their names. Each returns what is wrong, undefined, or why it cannot be asked, after `skipped: `. */
export type Checks = Readonly<Record<string, (asked: Asked) => Promise<string | undefined>>>;

/** Begins the reason why a check cannot be made. */
export const skipped = 'skipped: ';

/** CloudFront waits a minute for an answer; nothing here may need half of that. */
const answerMilliseconds = 30_000;

export async function ask({ url }: Asked, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url + path, {
    redirect: 'manual',
    ...init,
    signal: AbortSignal.timeout(answerMilliseconds),
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  return { status: response.status, headers: response.headers, body: Buffer.concat(chunks), parts: chunks.length };
}

const bearer = ({ key }: Asked) => ({ authorization: `Bearer ${key}` });
export const withKey = (asked: Asked, path: string, init: RequestInit = {}) =>
  ask(asked, path, { ...init, headers: { ...bearer(asked), ...(init.headers as Record<string, string>) } });

const codeOf = ({ body }: Answer): unknown => {
  try {
    return JSON.parse(body.toString()).code;
  } catch {
    return undefined;
  }
};

const mayNot = (answer: Answer): boolean =>
  answer.status === 403 &&
  (answer.body.length === 0 || ['permission_denied', 'member_required'].includes(String(codeOf(answer))));

/** The service's own refusal: its status, its code, and the id of the request. */
export function refused(answer: Answer, status: number, code: string): string | undefined {
  const isRight = answer.status === status && codeOf(answer) === code && answer.headers.has('x-request-id');
  return expected(isRight, answer, `${status} ${code} with x-request-id`);
}

export const expected = (isRight: boolean, answer: Answer, needed: string): string | undefined =>
  isRight
    ? undefined
    : mayNot(answer)
      ? `${skipped}the key lacks a permission`
      : `${answer.status} ${answer.body.toString().slice(0, 200)}, and not ${needed}`;

export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** `fetch` sends no such request. */
export async function getWithBody(asked: Asked, path: string): Promise<Answer> {
  const url = new URL(asked.url + path);
  const send = url.protocol === 'http:' ? requestHttp : requestHttps;
  const headers = { ...bearer(asked), 'content-type': 'application/json', 'content-length': '2' };
  const sent = send(url, { headers, signal: AbortSignal.timeout(answerMilliseconds) }).end('{}');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const named = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: response.statusCode ?? 0, headers: new Headers(named), body, parts: 1 };
}
