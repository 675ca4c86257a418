import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';

/** What the script asks with. */
export interface Asked {
  /** The public address, without a slash at its end. */
  readonly url: string;
  /** A key that may read entries. With the rights of messaging, files are uploaded and downloaded, too. */
  readonly key: string;
  /** The body of a request for a streamed reply. @default no reply is asked for */
  readonly reply?: string | undefined;
  /** The table, to which the credentials of the environment may not write keys. @default not tried */
  readonly deniedTable?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
  /** The parts in which the body arrived. */
  readonly parts: number;
}

interface Check {
  readonly name: string;
  /** @returns what is wrong; undefined if it is right; why it cannot be asked, after `skipped: ` */
  readonly run: (asked: Asked) => Promise<string | undefined>;
}

/** Begins the reason why a check cannot be made. */
const skipped = 'skipped: ';

const list = '/api/public/cms/smoke-no-such-database/list';
const attachments = '/api/v1/connect/attachments';
const megabyte = 1_048_576;

/** CloudFront waits a minute for an answer; nothing here may need half of that. */
const answerMilliseconds = 30_000;

async function ask({ url }: Asked, path: string, init: RequestInit = {}): Promise<Answer> {
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
const withKey = (asked: Asked, path: string, init: RequestInit = {}) =>
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
function refused(answer: Answer, status: number, code: string): string | undefined {
  const isRight = answer.status === status && codeOf(answer) === code && answer.headers.has('x-request-id');
  return expected(isRight, answer, `${status} ${code} with x-request-id`);
}

const expected = (isRight: boolean, answer: Answer, needed: string): string | undefined =>
  isRight
    ? undefined
    : mayNot(answer)
      ? `${skipped}the key lacks a permission`
      : `${answer.status} ${answer.body.toString().slice(0, 200)}, and not ${needed}`;

const ownRefusal = (name: string, status: number, code: string, send: (asked: Asked) => Promise<Answer>): Check => ({
  name,
  run: async (asked) => refused(await send(asked), status, code),
});

const refusals: readonly Check[] = [
  ownRefusal('path that has only POST', 405, 'method_not_allowed', (asked) => withKey(asked, '/api/v1/manage/media')),
  ownRefusal('long headers', 404, 'not_found', (asked) =>
    withKey(asked, list, { headers: { 'x-smoke': 'x'.repeat(7_000) } }),
  ),
  ownRefusal('unknown address', 404, 'not_found', (asked) => ask(asked, '/nowhere')),
  ownRefusal('no key', 401, 'missing_api_key', (asked) => ask(asked, list)),
  ownRefusal('unknown key', 401, 'invalid_api_key', (asked) =>
    withKey({ ...asked, key: 'smoke-unknown-key-0000' }, list),
  ),
  ownRefusal('unknown database', 404, 'not_found', (asked) => withKey(asked, list)),
  ownRefusal('cookie beside the key', 404, 'not_found', (asked) =>
    withKey(asked, list, { headers: { cookie: 'a=b; c=d' } }),
  ),
  ownRefusal('other method', 405, 'method_not_allowed', (asked) => withKey(asked, list, { method: 'DELETE' })),
  ownRefusal('OPTIONS without an origin', 405, 'method_not_allowed', (asked) =>
    ask(asked, list, { method: 'OPTIONS' }),
  ),
  ownRefusal('unknown parameter value', 400, 'invalid_query', (asked) => withKey(asked, `${list}?limit=many`)),
  ownRefusal('percent-encoded path', 404, 'not_found', (asked) => withKey(asked, list.replace('cms', '%63ms'))),
  ownRefusal('Arabic path', 404, 'not_found', (asked) =>
    withKey(asked, `/api/public/cms/${encodeURIComponent('قائمة')}/list`),
  ),
  ownRefusal('escaped question mark', 404, 'not_found', (asked) => withKey(asked, '/api/public/cms/a%3Fb/list')),
  ownRefusal('escaped slash and percent sign', 404, 'not_found', (asked) =>
    withKey(asked, '/api/public/cms/a%2Fb%2525/list'),
  ),
  ownRefusal('escaped path of a function URL', 404, 'not_found', (asked) => ask(asked, '/media/%25%3F')),
  ownRefusal('compressed body', 415, 'unsupported_media_type', (asked) =>
    withKey(asked, '/api/v1/connect/conversations', json({}, { 'content-encoding': 'gzip' })),
  ),
  ownRefusal('JSON over the bound of the service', 413, 'body_too_large', (asked) =>
    withKey(asked, '/api/v1/connect/conversations', json({ text: 'x'.repeat(megabyte) })),
  ),
];

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const others: readonly Check[] = [
  {
    name: 'description, from the cache too',
    async run(asked) {
      const answers = [await ask(asked, '/openapi.json'), await ask(asked, '/openapi.json')];
      const wrong = answers.find(({ status, body }) => status !== 200 || !body.includes('"openapi"'));
      return wrong && expected(false, wrong, 'the description');
    },
  },
  {
    name: 'unchanged file',
    async run(asked) {
      const { headers } = await ask(asked, '/widget.js');
      const answer = await ask(asked, '/widget.js', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      return expected(answer.status === 304 && answer.body.length === 0, answer, '304');
    },
  },
  {
    name: 'HEAD',
    async run(asked) {
      const answer = await withKey(asked, list, { method: 'HEAD' });
      return expected(answer.status === 404 && answer.body.length === 0, answer, '404 without a body');
    },
  },
  {
    name: 'preflight',
    async run(asked) {
      const headers = { origin: 'https://smoke.example', 'access-control-request-method': 'POST' };
      const answer = await ask(asked, '/api/v1/connect/ai-stream', { method: 'OPTIONS', headers });
      return expected(answer.status === 204 && answer.headers.get('access-control-max-age') === '7200', answer, '204');
    },
  },
  {
    name: 'JSON over the bound of the gateway',
    async run(asked) {
      const answer = await withKey(asked, '/api/v1/connect/conversations', json({ text: 'x'.repeat(11 * megabyte) }));
      return expected(answer.status === 413, answer, '413');
    },
  },
];

const fileOf = (bytes: Uint8Array<ArrayBuffer>): RequestInit => {
  const form = new FormData();
  form.append('files', new Blob([bytes], { type: 'text/plain' }), 'smoke.txt');
  return { method: 'POST', body: form };
};

const files: readonly Check[] = [
  {
    name: 'upload that is refused before it is read',
    async run(asked) {
      return refused(await ask(asked, attachments, fileOf(new Uint8Array(3 * megabyte))), 401, 'missing_api_key');
    },
  },
  {
    name: 'upload, download, and a part of it',
    async run(asked) {
      const sent = Buffer.from('A file of the smoke test.\n'.repeat(100));
      const stored = await withKey(asked, attachments, fileOf(new Uint8Array(sent)));
      if (stored.status !== 200) return expected(false, stored, '200');
      const { pathname } = new URL(/"url":"([^"]+)"/.exec(stored.body.toString())?.[1] ?? '');
      const whole = await withKey(asked, pathname);
      if (!whole.body.equals(sent)) return expected(false, whole, 'the bytes that were sent');
      const part = await withKey(asked, pathname, { headers: { range: 'bytes=2-5' } });
      return expected(part.status === 206 && part.body.equals(sent.subarray(2, 6)), part, '206 and four bytes');
    },
  },
  {
    name: 'streamed reply',
    async run(asked) {
      if (asked.reply === undefined) return `${skipped}no --reply`;
      const sent = { ...json({}), body: asked.reply };
      const answer = await withKey(asked, '/api/v1/connect/ai-stream', sent);
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
      return expected(
        answer.status === 200 && isStream === true && answer.parts > 1,
        answer,
        'a stream of several parts',
      );
    },
  },
];

const denial: Check = {
  name: 'transaction that a role denies',
  async run({ deniedTable: TableName }) {
    if (TableName === undefined) return `${skipped}no --denied-table`;
    // The condition can never hold, so nothing is written where the denial is missing.
    const condition = 'attribute_exists(pk) AND attribute_not_exists(pk)';
    const put = { TableName, Item: { pk: { S: 'KEY#smoke' }, sk: { S: 'smoke' } }, ConditionExpression: condition };
    try {
      await new DynamoDBClient({}).send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put }] }));
      return 'the transaction was accepted';
    } catch (error) {
      const { name, message } = error as Error;
      return name === 'AccessDeniedException' ? undefined : `${name}: ${message}, and not AccessDeniedException`;
    }
  },
};

const checks = [...refusals, ...others, ...files, denial];

/** The names of all checks. */
export const checkNames: readonly string[] = checks.map(({ name }) => name);

/**
 * Asks a running service what differs between this machine and AWS.
 * @param without names of checks that are left out
 * @param note gets a line for each check
 * @returns how many are wrong
 */
export async function smoke(asked: Asked, without: readonly string[], note: (line: string) => void): Promise<number> {
  let wrong = 0;
  for (const { name, run } of checks) {
    if (without.includes(name)) continue;
    const fault = await run(asked).catch(({ message, cause }: Error) => [message, cause].filter(Boolean).join(': '));
    if (fault === undefined) note(`right    ${name}`);
    else if (fault.startsWith(skipped)) note(`skipped  ${name}: ${fault.slice(skipped.length)}`);
    else {
      wrong += 1;
      note(`WRONG    ${name}: ${fault}`);
    }
  }
  return wrong;
}
