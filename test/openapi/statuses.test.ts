import { afterAll, afterEach, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { ApiDocument } from '#test/support/api-document.ts';
import { type Answer, type Call, call } from '#test/support/call.ts';
import { contactAnswers as answers, demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { formBody } from '#test/support/multipart.ts';
import { testTable } from '#test/support/world.ts';

await openDemo();
// What is called below is loaded from here on, and finds its table behind the proxy.
const proxy = await FaultProxy.start(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

// So much that no other call of this file reaches it.
process.env['RATE_LIMIT'] = '100000';
const overLimit = { ...keys.rateBucket('ws_saffron', 'key_all'), fullAt: Date.now() + 600_000 };
await testTable().put(overLimit);

const api = await ApiDocument.read();
const { site, editor, desk, none, all } = demoKeys;

type Request = () => Promise<Answer>;
const throttled = { kind: 'error', type: 'ThrottlingException', status: 400 } as const;

/** The same call while the table is away. */
const unavailable =
  (request: Request): Request =>
  async () => {
    proxy.plan('any', throttled);
    return request();
  };

/** The same call again, by somebody who has its answer. */
const again = async (address: string, options: Call = {}): Promise<Answer> => {
  const { headers } = await call(address, options);
  return call(address, { ...options, headers: { ...options.headers, 'if-none-match': headers['etag'] ?? '' } });
};

/** What a GET answers whose key may be in a header. */
const readWithHeader = (address: string) => ({
  200: () => call(address, { key: site }),
  401: () => call(address),
  403: () => call(address, { key: none }),
  429: () => call(address, { key: all }),
  503: unavailable(() => call(address, { key: site })),
});

const withKey = (address: string, key: string) => `${address}${address.includes('?') ? '&' : '?'}apiKey=${key}`;

/** What a GET answers whose key is in the address. */
const readWithQuery = (address: string) => ({
  200: () => call(withKey(address, site)),
  304: () => again(withKey(address, site)),
  401: () => call(address, { key: site }),
  403: () => call(withKey(address, none)),
  429: () => call(withKey(address, all)),
  503: unavailable(() => call(withKey(address, site))),
});

const named = (name: string) => ({ 'idempotency-key': name });
const conflict = {
  kind: 'error',
  type: 'TransactionCanceledException',
  status: 400,
  more: { CancellationReasons: [{ Code: 'TransactionConflict' }] },
} as const;

/** A call that keeps meeting others with its Idempotency-Key. */
async function meeting(request: Request): Promise<Answer> {
  proxy.plan('TransactWriteItems', conflict);
  return request();
}

const list = 'GET /api/public/cms/chefs/list';
const chef = '/api/public/cms/chefs/chef_noura';
const update = (method: string) => {
  const address = `${method} ${chef}`;
  const body = { values: { published: true } };
  return {
    200: () => call(address, { key: editor, body }),
    400: () => call(address, { key: editor, body: { values: { name: { en: null, ar: null }, nope: 1 } } }),
    401: () => call(address, { body }),
    403: () => call(address, { key: site, body }),
    404: () => call(`${method} /api/public/cms/chefs/nobody`, { key: editor, body }),
    409: () => meeting(() => call(address, { key: editor, body, headers: named(`${method} in flight`) })),
    412: () => call(address, { key: editor, body, headers: { 'if-match': '"another"' } }),
    413: () => call(address, { key: editor, body: { values: { bio: { en: 'x'.repeat(1_048_577) } } } }),
    415: () => call(address, { key: editor, body, headers: { 'content-type': 'text/plain' } }),
    422: async () => {
      await call(address, { key: editor, body, headers: named(`${method} reused`) });
      return call(address, { key: editor, body: { values: {} }, headers: named(`${method} reused`) });
    },
    429: () => call(address, { key: all, body }),
    503: unavailable(() => call(address, { key: editor, body })),
  };
};

const contact = '/api/public/forms/contact';
const submit = (body: unknown, headers: Record<string, string> = {}, key: string = site, address = contact) =>
  call(withKey(`POST ${address}`, key), { body, headers });
const keyed = { 'idempotency-key': 'one' };

const upload = (options: Call, key: string | undefined = desk) =>
  call('POST /api/v1/connect/attachments', { ...(key && { key }), ...options });
const note = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: '0123456789' }]);
const stored = upload(note).then(({ json }): string => json.files[0].s3Key);
const download = async (options: Call = {}) =>
  call(`GET /api/v1/connect/assets/${await stored}`, { key: desk, ...options });

const streamed = (body: object, options: Call = { key: desk }) =>
  call('POST /api/v1/connect/ai-stream', { body, ...options });
const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' };

const publicFile = (address: string) => ({ 200: () => call(address), 304: () => again(address) });

const requests: Readonly<Record<string, Readonly<Record<number, Request>>>> = {
  cmsEntriesList: {
    ...readWithHeader(list),
    304: () => again(list, { key: site }),
    400: () => call(`${list}?limit=0`, { key: site }),
    404: () => call('GET /api/public/cms/nothing/list', { key: site }),
  },
  cmsEntryGet: {
    ...readWithHeader(`GET ${chef}`),
    400: () => call(`GET ${chef}?fields=nope`, { key: site }),
    404: () => call('GET /api/public/cms/chefs/nobody', { key: site }),
  },
  cmsEntryUpdate: update('PATCH'),
  cmsEntryUpdatePut: update('PUT'),
  menuProductsList: {
    ...readWithQuery('GET /api/public/menu/products'),
    400: () => call(withKey('GET /api/public/menu/products?minPrice=free', site)),
  },
  menuCategoriesList: {
    ...readWithQuery('GET /api/public/menu/categories?includeProducts=true'),
    400: () => call(withKey('GET /api/public/menu/categories?page=0', site)),
  },
  formGet: {
    ...readWithQuery(`GET ${contact}`),
    404: () => call(withKey('GET /api/public/forms/nothing', site)),
  },
  formSubmit: {
    200: () => submit(answers, keyed),
    400: () => submit({ ...answers, email: 'nobody', more: 1 }),
    401: () => call(`POST ${contact}`, { key: site, body: answers }),
    403: () => submit(answers, {}, none),
    404: () => submit(answers, {}, site, '/api/public/forms/catering'),
    409: () => meeting(() => submit(answers, named('two'))),
    413: () => submit({ ...answers, message: 'x'.repeat(1_048_577) }),
    415: () => submit(answers, { 'content-type': 'text/plain' }),
    422: async () => {
      await submit(answers, keyed);
      return submit({ ...answers, name: 'Reem' }, keyed);
    },
    429: () => submit(answers, {}, all),
    503: unavailable(() => submit(answers)),
  },
  attachmentsUpload: {
    200: () => upload({ body: { files: [{ name: 'menu.pdf', type: 'application/pdf', size: 18_000_000 }] } }),
    400: () => upload(formBody([])),
    401: () => call('POST /api/v1/connect/attachments', note),
    403: () => upload(note, site),
    409: () => meeting(() => upload({ ...note, headers: { ...note.headers, ...named('in flight') } })),
    413: () => upload({ body: { files: [{ name: 'film.mp4', type: 'video/mp4', size: 26_214_401 }] } }),
    415: () => upload({ body: 'text', headers: { 'content-type': 'text/plain' } }),
    422: async () => {
      const other = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'another' }]);
      await upload({ ...note, headers: { ...note.headers, ...named('reused') } });
      return upload({ ...other, headers: { ...other.headers, ...named('reused') } });
    },
    429: () => upload(note, all),
    503: unavailable(() => upload(note)),
  },
  assetDownload: {
    200: () => download(),
    206: () => download({ headers: { range: 'bytes=2-4' } }),
    304: () => download({ headers: { 'if-none-match': '*' } }),
    401: async () => call(`GET /api/v1/connect/assets/${await stored}`),
    403: () => call('GET /api/v1/connect/assets/workspaces/another/drive/messaging/x', { key: desk }),
    404: async () => call(`GET /api/v1/connect/assets/${await stored}x`, { key: desk }),
    416: () => download({ headers: { range: 'bytes=10-' } }),
    429: () => download({ key: all }),
    503: async () => {
      await stored;
      return unavailable(download)();
    },
  },
  aiReplyStream: {
    200: () => streamed(question),
    400: () => streamed({ agentId: 'agent_saffron' }),
    401: () => streamed(question, {}),
    403: () => streamed(question, { key: site }),
    413: () => streamed({ ...question, senderId: 'x'.repeat(65_536) }),
    415: () => streamed(question, { key: desk, headers: { 'content-type': 'text/plain' } }),
    429: () => streamed(question, { key: all }),
    503: unavailable(() => streamed(question)),
  },
  home: { ...publicFile('GET /'), 302: () => call('GET /', { headers: { accept: 'text/html' } }) },
  apiDescription: publicFile('GET /openapi.json'),
  apiReference: publicFile('GET /docs'),
  apiReferenceFile: { ...publicFile('GET /docs/start.js'), 404: () => call('GET /docs/nothing.js') },
};

const documented = api.operations.flatMap((operation) =>
  Object.keys(operation.responses).map((status) => [operation.operationId, Number(status), operation] as const),
);

/** Nobody can ask for our own mistakes. */
it.each(documented.filter(([, status]) => status !== 500))(
  '%s answers %d as described',
  async (id, status, operation) => {
    const request = requests[id]?.[status];
    if (!request) throw new Error('There is no request for it.');
    const answer = await request();
    expect({ status: answer.status, problems: api.problemsOf(operation, answer) }).toEqual({ status, problems: [] });
  },
);
