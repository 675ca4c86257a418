import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { type EndpointFunction, findEndpoints } from '#lib/endpoints.ts';
import { callersOf, routesOf } from '#lib/http/endpoint.ts';
import { type Asked, ask, type Checks, expected, getWithBody, json, refused, skipped, withKey } from './smoke-ask.ts';
import { files, replies } from './smoke-work.ts';

const list = '/api/public/cms/smoke-no-such-database/list';
const conversations = '/api/v1/connect/conversations';
const megabyte = 1_048_576;

/** Requests that the service itself refuses: the status, the code, the path, and what is sent beside the key. */
const refusals: Readonly<Record<string, readonly [number, string, string, RequestInit?]>> = {
  'path that has only POST': [405, 'method_not_allowed', '/api/v1/manage/media'],
  'long headers': [404, 'not_found', list, { headers: { 'x-smoke': 'x'.repeat(7_000) } }],
  'unknown address': [404, 'not_found', '/nowhere'],
  'unknown key': [401, 'invalid_api_key', list, { headers: { authorization: 'Bearer smoke-unknown-key-0000' } }],
  'unknown database': [404, 'not_found', list],
  'cookie beside the key': [404, 'not_found', list, { headers: { cookie: 'a=b; c=d' } }],
  'other method': [405, 'method_not_allowed', list, { method: 'DELETE' }],
  'OPTIONS without an origin': [405, 'method_not_allowed', list, { method: 'OPTIONS' }],
  'unknown parameter value': [400, 'invalid_query', `${list}?limit=many`],
  'percent-encoded path': [404, 'not_found', list.replace('cms', '%63ms')],
  'Arabic path': [404, 'not_found', `/api/public/cms/${encodeURIComponent('قائمة')}/list`],
  // A path that ends at the question mark would be 404.
  'escaped question mark': [405, 'method_not_allowed', '/api/public/cms/a%3Fb/list', { method: 'POST' }],
  'escaped slash and percent sign': [404, 'not_found', '/api/public/cms/a%2Fb%2525/list'],
  'escaped path of a function URL': [404, 'not_found', '/media/%25%3F'],
  'compressed body': [415, 'unsupported_media_type', conversations, json({}, { 'content-encoding': 'gzip' })],
  'JSON over the bound of the service': [413, 'body_too_large', conversations, json({ text: 'x'.repeat(megabyte) })],
};

const others: Checks = {
  'no key': async (asked) => refused(await ask(asked, list), 401, 'missing_api_key'),
  // Every function starts, and its addresses lead to it. One after the other, because a new account runs ten at once.
  'every address that takes a key': async (asked) => {
    const faults: string[] = [];
    for (const { path, method, code } of (await findEndpoints()).flatMap(askingForKeys)) {
      const fault = refused(await ask(asked, path, { method }), 401, code);
      if (fault !== undefined) faults.push(`${method} ${path}: ${fault}`);
    }
    return faults.length > 0 ? faults.join('; ') : undefined;
  },
  'description, from the cache too': async (asked) => {
    const answers = [await ask(asked, '/openapi.json'), await ask(asked, '/openapi.json')];
    const wrong = answers.find(({ status, body }) => status !== 200 || !body.includes('"openapi"'));
    return wrong && expected(false, wrong, 'the description');
  },
  'unchanged file': async (asked) => {
    const { headers } = await ask(asked, '/widget.js');
    const answer = await ask(asked, '/widget.js', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    return expected(answer.status === 304 && answer.body.length === 0, answer, '304');
  },
  HEAD: async (asked) => {
    const answer = await withKey(asked, list, { method: 'HEAD' });
    return expected(answer.status === 404 && answer.body.length === 0, answer, '404 without a body');
  },
  preflight: async (asked) => {
    const headers = { origin: 'https://smoke.example', 'access-control-request-method': 'POST' };
    const answer = await ask(asked, '/api/v1/connect/ai-stream', { method: 'OPTIONS', headers });
    return expected(answer.status === 204 && answer.headers.get('access-control-max-age') === '7200', answer, '204');
  },
  'JSON over the bound of the gateway': async (asked) => {
    const answer = await withKey(asked, conversations, json({ text: 'x'.repeat(11 * megabyte) }));
    return expected(answer.status === 413, answer, '413');
  },
  'headers over every bound': async (asked) => {
    const answer = await withKey(asked, list, { headers: { 'x-smoke': 'x'.repeat(70_000) } });
    // CloudFront has words of its own, and so has the gateway.
    return expected([400, 413, 431, 494].includes(answer.status), answer, 'a refusal of the headers');
  },
  'GET with a body': async (asked) => {
    const answer = await getWithBody(asked, list);
    // CloudFront refuses it, and the service ignores the body.
    return answer.status === 403 ? undefined : refused(answer, 404, 'not_found');
  },
};

function askingForKeys({ endpoint }: EndpointFunction) {
  if (callersOf(endpoint).length === 0) return [];
  const code = endpoint.keyIn.length > 0 ? 'missing_api_key' : 'missing_session';
  return routesOf(endpoint).flatMap(({ endpoint: { path, methods } }) =>
    methods.map((method) => ({ path: path.replaceAll(/\{.+?\}/g, 'smoke'), method, code })),
  );
}

const denial: Checks = {
  'transaction that a role denies': async ({ deniedTable: TableName }) => {
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

const checks: Checks = {
  ...Object.fromEntries(
    Object.entries(refusals).map(([name, [status, code, path, init]]) => [
      name,
      async (asked: Asked) => refused(await withKey(asked, path, init), status, code),
    ]),
  ),
  ...others,
  ...files,
  ...replies,
  ...denial,
};

/** The names of all checks. */
export const checkNames: readonly string[] = Object.keys(checks);

/**
 * Asks a running service what differs between this machine and AWS.
 * @param without names of checks that are left out
 * @param note gets a line for each check
 * @returns how many are wrong
 */
export async function smoke(asked: Asked, without: readonly string[], note: (line: string) => void): Promise<number> {
  let wrong = 0;
  for (const [name, run] of Object.entries(checks)) {
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
