import { afterAll, afterEach, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { ApiDocument, type Operation } from '#test/support/api-document.ts';
import { type Answer, type Call, call } from '#test/support/call.ts';
import { inEndlessConflict } from '#test/support/endless-conflict.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { acceptMembership, signIn } from '#test/support/signed-in.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
// The functions are loaded after this line, so that they use the proxy of the table.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
shortenPauses();
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

// A value that no other call of this file reaches.
process.env['RATE_LIMIT'] = '100000';
const limited = 'forms:response:create';
type Send = (options?: Call) => Promise<Answer>;

/** Sends with a key whose bucket is empty. The bucket is filled again after each look, because of its high rate. */
const overLimit = async (send: Send): Promise<Answer> => {
  const bucket = keys.rateBucket(kitchen.workspaceId, `key_${limited}`);
  await testTable().put({ ...bucket, fullAt: Date.now() + 600_000 });
  return send({ key: kitchen.secretOf(limited) });
};

const api = await ApiDocument.read();
const all = kitchen.secretOf('all');
const none = kitchen.secretOf('none');
const throttled = { kind: 'error', type: 'ThrottlingException', status: 400 } as const;

/** The statuses of every call, whatever its record. */
const common = (send: Send) => ({
  401: () => send({ key: '' }),
  403: () => send({ key: none }),
  429: () => overLimit(send),
  503: () => {
    proxy.plan('any', throttled);
    return send();
  },
});

const to =
  (request: string, body?: unknown): Send =>
  (options = {}) =>
    call(request, { key: all, ...(body !== undefined && { body }), ...options });

async function repeated(send: Send, other: Send, name: string): Promise<Answer> {
  await send({ headers: { 'idempotency-key': name } });
  return other({ headers: { 'idempotency-key': name } });
}

/** The transaction of the first call with the key conflicts with others. */
const inFlight = (send: Send, name: string) => () =>
  inEndlessConflict(proxy, () => send({ headers: { 'idempotency-key': name } }));

const old = { headers: { 'if-match': '"old"' } };
const text = { headers: { 'content-type': 'text/plain' } };
const huge = { body: { name: 'x'.repeat(1_048_577) } };
const products = '/api/v1/manage/menu-products';
const product = (slug: string) => ({ slug, name: { en: slug }, categoryId: 'cat_1' });
const put = to(`PUT ${products}/prod_put`, product('put'));
const patch = to(`PATCH ${products}/prod_1`, { soldout: true });
const create = to(`POST ${products}`, { ...product('dish-1'), id: 'prod_1' });
const conditional = async (send: Send): Promise<Answer> => {
  const { headers } = await send();
  return send({ headers: { 'if-none-match': headers['etag'] ?? '' } });
};
const bodies = (send: Send) => ({ 400: () => send({ body: [] }), 413: () => send(huge), 415: () => send(text) });

/** Tests one kind completely. The functions are the same for all kinds. */
const requests: Readonly<Record<string, Readonly<Record<number, () => Promise<Answer>>>>> = {
  'GET /api/v1/manage/menu-products': {
    ...common(to(`GET ${products}`)),
    200: to(`GET ${products}?limit=2`),
    304: () => conditional(to(`GET ${products}`)),
    400: to(`GET ${products}?limit=0`),
  },
  'POST /api/v1/manage/menu-products': {
    ...common(create),
    ...bodies(create),
    201: to(`POST ${products}`, product('made')),
    409: create,
    422: () => repeated(to(`POST ${products}`, product('once')), to(`POST ${products}`, product('twice')), 'post'),
  },
  'GET /api/v1/manage/menu-products/{id}': {
    ...common(to(`GET ${products}/prod_1`)),
    200: to(`GET ${products}/prod_1`),
    304: () => conditional(to(`GET ${products}/prod_1`)),
    404: to(`GET ${products}/nobody`),
  },
  'PUT /api/v1/manage/menu-products/{id}': {
    ...common(put),
    ...bodies(put),
    201: to(`PUT ${products}/prod_new`, product('new')),
    200: to(`PUT ${products}/prod_2`, product('dish-2')),
    404: to(`PUT ${products}/%20`, product('blank')),
    409: inFlight(put, 'put in flight'),
    412: () => put(old),
    422: () => repeated(put, to(`PUT ${products}/prod_put`, product('other')), 'put'),
  },
  'PATCH /api/v1/manage/menu-products/{id}': {
    ...common(patch),
    ...bodies(patch),
    200: patch,
    404: to(`PATCH ${products}/nobody`, {}),
    409: inFlight(to(`PATCH ${products}/prod_2`, { soldout: true }), 'patch in flight'),
    412: () => patch(old),
    422: () => repeated(patch, to(`PATCH ${products}/prod_1`, {}), 'patch'),
  },
  'DELETE /api/v1/manage/menu-products/{id}': {
    ...common(to(`DELETE ${products}/prod_3`)),
    204: to(`DELETE ${products}/prod_3`),
    404: to(`DELETE ${products}/nobody`),
    409: to('DELETE /api/v1/manage/menu-categories/cat_1'),
    412: () => to(`DELETE ${products}/prod_1`)(old),
  },
  'POST /api/v1/manage/changes': {
    200: to('POST /api/v1/manage/changes', { changes: [{ method: 'DELETE', kind: 'forms', id: 'nobody' }] }),
    400: to('POST /api/v1/manage/changes', { changes: [{}] }),
    401: () => call('POST /api/v1/manage/changes', { body: {} }),
    403: async () => {
      const workspaceId = kitchen.workspaceId;
      const address = 'cook@example.com';
      await call('POST /api/v1/manage/members', { key: all, body: { name: 'Cook', email: address } });
      await acceptMembership({ workspaceId, address });
      const { headers } = await signIn({ workspaceId, address });
      return call('POST /api/v1/manage/changes', { headers: { ...headers, 'sec-fetch-site': 'cross-site' }, body: {} });
    },
    413: to('POST /api/v1/manage/changes', huge.body),
    415: () => to('POST /api/v1/manage/changes', 'x')(text),
    429: () => overLimit(to('POST /api/v1/manage/changes', { changes: [] })),
    503: () => {
      proxy.plan('any', throttled);
      return to('POST /api/v1/manage/changes', { changes: [] })();
    },
  },
};

const operations = new Map(api.operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));

it.each(
  Object.keys(requests)
    .flatMap((name) =>
      Object.keys(operations.get(name)?.responses ?? { 0: undefined }).map((status) => [name, Number(status)] as const),
    )
    .filter(([, status]) => status !== 500),
)('%s answers %d as described', async (name, status) => {
  const operation = operations.get(name);
  const request = requests[name]?.[status];
  if (!operation || !request) throw new Error('There is no request for it.');
  const answer = await request();
  expect({ status: answer.status, problems: api.problemsOf(operation, answer) }).toEqual({ status, problems: [] });
});

it('a list of large records answers 400 as described', async () => {
  const list = 'GET /api/v1/manage/menu-products';
  for (let i = 0; i < 16; i++)
    await to(`PUT ${products}/large_${i}`, { ...product(`large-${i}`), intro: { en: 'x'.repeat(340_000) } })();
  const answer = await to(`${list}?limit=100`)();
  expect([answer.status, answer.json.code]).toEqual([400, 'response_too_large']);
  expect(api.problemsOf(operations.get(list) as Operation, answer)).toEqual([]);
});

it.each(testedKinds.map((tested) => [tested.kind, tested] as const))(
  'every call of %s answers what its own schema describes',
  async (kind, { fresh, patch: change }) => {
    const path = `/api/v1/manage/${kind}`;
    const calls: readonly (readonly [string, string, unknown?])[] = [
      [`POST ${path}`, `POST ${path}`, { ...fresh(`schema-${kind}`), id: 'schema' }],
      [`GET ${path}`, `GET ${path}?limit=3`],
      [`GET ${path}/{id}`, `GET ${path}/schema`],
      [`PUT ${path}/{id}`, `PUT ${path}/schema`, fresh(`schema-${kind}`)],
      [`PATCH ${path}/{id}`, `PATCH ${path}/schema`, change],
      [`DELETE ${path}/{id}`, `DELETE ${path}/schema`],
    ];
    for (const [name, request, body] of calls) {
      const operation = operations.get(name);
      if (!operation) throw new Error(`${name} is not described.`);
      const answer = await to(request, body)();
      expect({ name, isFine: answer.status < 300, problems: api.problemsOf(operation, answer) }).toEqual({
        name,
        isFine: true,
        problems: [],
      });
    }
  },
);
