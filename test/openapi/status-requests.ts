import { afterAll, afterEach, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { ApiDocument, type Operation } from '#test/support/api-document.ts';
import { type Answer, type Call, call as send } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { conflict, inEndlessConflict } from '#test/support/endless-conflict.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { isLongRun } from '#test/support/long-run.ts';
import { shortenPauses } from '#test/support/short-pauses.ts';
import { testTable } from '#test/support/world.ts';

// Shared by the test files of statuses. Each file loads it separately and has its own demo workspace.

await openDemo();
// The functions are loaded after this line, so that they use the proxy of the table.
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
shortenPauses();
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

// A value that no other call of the file reaches.
process.env['RATE_LIMIT'] = '100000';
/** Sends a request whose caller has an empty bucket. The bucket fills again after each look, because of its high rate. */
export const overLimit =
  (send: Request, callerId = 'key_all'): Request =>
  async () => {
    await testTable().put({ ...keys.rateBucket('ws_saffron', callerId), fullAt: Date.now() + 600_000 });
    return send();
  };

const api = await ApiDocument.read();
const { site, none, all } = demoKeys;

export type Request = () => Promise<Answer>;
export type Requests = Readonly<Record<string, Readonly<Record<number, Request>>>>;

/** A call with an unknown parameter. */
export const call = (address: string, options: Call = {}): Promise<Answer> =>
  send(`${address}${address.includes('?') ? '&' : '?'}unknown=1`, options);

const throttled = { kind: 'error', type: 'ThrottlingException', status: 400 } as const;

/** The same call while the table is unavailable. */
export const unavailable =
  (request: Request): Request =>
  async () => {
    proxy.plan('any', throttled);
    return request();
  };

/** The same call with the ETag of its answer. */
export const repeatWithEtag = async (address: string, options: Call = {}): Promise<Answer> => {
  const { headers } = await call(address, options);
  return call(address, { ...options, headers: { ...options.headers, 'if-none-match': headers['etag'] ?? '' } });
};

/** Waits for all calls of the table, including those without a waiting request. */
export const whenIdle = (): Promise<void> => proxy.forget();

export const withIdempotencyKey = (name: string) => ({ 'idempotency-key': name });
/** A call that always conflicts with others under its Idempotency-Key. */
export const conflicting = (request: Request): Promise<Answer> => inEndlessConflict(proxy, request);

/** The same for a call that also announces files and needs time for the bucket. */
export async function conflictingWithFiles(request: Request): Promise<Answer> {
  proxy.plan('TransactWriteItems', conflict, undefined, keys.idempotencyRecord('ws_saffron', '').pk);
  return request();
}

/** The statuses of a GET with a key of one kind. */
export const readBy = (key: string) => (address: string) => ({
  200: () => call(address, { key }),
  304: () => repeatWithEtag(address, { key }),
  401: () => call(address),
  403: () => call(address, { key: key === site ? none : site }),
  429: overLimit(() => call(address, { key: all })),
  503: unavailable(() => call(address, { key })),
});

/** The refusals of a route with a JSON body. */
export const refusedBy = (key: string) => (address: string, body: object) => ({
  401: () => call(address, { body }),
  403: () => call(address, { key: site, body }),
  413: () => call(address, { key, body: { ...body, more: 'x'.repeat(1_048_577) } }),
  415: () => call(address, { key, body, headers: { 'content-type': 'text/plain' } }),
  429: overLimit(() => call(address, { key: all, body })),
  503: unavailable(() => call(address, { key, body })),
});

/** The refusals of a route because of its Idempotency-Key. */
export const keyedBy = (key: string) => (address: string, body: object, other: object) => ({
  409: () => conflicting(() => call(address, { key, body, headers: withIdempotencyKey(`${address} in flight`) })),
  422: async () => {
    await call(address, { key, body, headers: withIdempotencyKey(`${address} reused`) });
    return call(address, { key, body: other, headers: withIdempotencyKey(`${address} reused`) });
  },
});

/** The statuses of the checks that all routes share. The fast run asks one route of each area for each of them. */
const ofEveryRoute = [401, 403, 413, 415, 422, 429, 503];

/** manage-statuses.test.ts covers the kinds of records. */
const isOfKinds = ({ operationId }: Operation): boolean => /^manage(?!Workspace)/.test(operationId);

/** The statuses of a public file. */
export const publicFile = (address: string) => ({ 200: () => call(address), 304: () => repeatWithEtag(address) });

/**
 * Requires that a request produces every status of every operation in an area, and all headers of a success.
 * @param isInArea by the heading of the operation
 */
export function itAnswersAsDescribed(requests: Requests, isInArea: (tag: string) => boolean): void {
  const documented = api.operations
    .filter((operation) => isInArea(operation.tags[0] ?? '') && !isOfKinds(operation))
    .flatMap((operation) =>
      Object.keys(operation.responses).map((status) => [operation.operationId, Number(status), operation] as const),
    );
  // A request cannot cause an internal error.
  const askable = documented.filter(([, status], index) => {
    const first = documented.findIndex(([, other]) => other === status);
    return status !== 500 && (isLongRun || !ofEveryRoute.includes(status) || index === first);
  });
  it.each(askable)('%s answers %d as described', async (id, status, operation) => {
    const request = requests[id]?.[status];
    if (!request) throw new Error('There is no request for it.');
    const answer = await request();
    expect({ status: answer.status, problems: api.problemsOf(operation, answer) }).toEqual({ status, problems: [] });
    if (status >= 300) return;
    const headers = Object.keys(operation.responses[status]?.headers ?? {});
    expect(headers.filter((name) => answer.headers[name] === undefined)).toEqual([]);
  });
}
