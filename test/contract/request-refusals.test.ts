import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { type Call, call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('kitchen');
const cms = '/api/public/cms';
const malformed = 'maxDepth=7&fields=name(';
const tooMuch = { values: { bio: { en: 'x'.repeat(1_048_576) } } };
const asText = { 'content-type': 'text/plain' };
const anotherTag = { 'if-match': '"another"' };
const wrong = { values: { nope: 1, name: { en: null, ar: null } } };

/** Every request has the errors of all that follow it, so its answer shows the check that comes first. */
const updates: [number, string, string, Call][] = [
  [404, 'not_found', `POST ${cms}/cooks/chef_0/more?${malformed}`, { headers: asText, body: tooMuch }],
  [405, 'method_not_allowed', `POST ${cms}/cooks/chef_0?${malformed}`, { headers: asText, body: tooMuch }],
  [401, 'missing_api_key', `PATCH ${cms}/cooks/chef_0?${malformed}`, { headers: asText, body: tooMuch }],
  [401, 'invalid_api_key', `PATCH ${cms}/cooks/chef_0?${malformed}`, { key: 'x', headers: asText, body: tooMuch }],
  [
    403,
    'permission_denied',
    `PATCH ${cms}/cooks/chef_0?${malformed}`,
    { key: keys.reader, headers: asText, body: tooMuch },
  ],
  [
    415,
    'unsupported_media_type',
    `PATCH ${cms}/cooks/chef_0?${malformed}`,
    { key: keys.editor, headers: asText, body: tooMuch },
  ],
  [413, 'body_too_large', `PATCH ${cms}/cooks/chef_0?${malformed}`, { key: keys.editor, body: tooMuch }],
  [400, 'invalid_body', `PATCH ${cms}/cooks/chef_0?${malformed}`, { key: keys.editor, body: '{' }],
  [400, 'invalid_query', `PATCH ${cms}/cooks/chef_0?${malformed}`, { key: keys.editor, body: wrong }],
  [404, 'not_found', `PATCH ${cms}/cooks/chef_0?fields=nope`, { key: keys.editor, body: wrong }],
  [400, 'validation_failed', `PATCH ${cms}/chefs/chef_0?fields=nope`, { key: keys.editor, body: wrong }],
  [400, 'unknown_field', `PATCH ${cms}/chefs/chef_0?fields=nope`, { key: keys.editor, body: { values: {} } }],
  [404, 'not_found', `PATCH ${cms}/chefs/chef_0`, { key: keys.editor, headers: anotherTag, body: { values: {} } }],
  [
    412,
    'precondition_failed',
    `PATCH ${cms}/chefs/chef_1`,
    { key: keys.editor, headers: anotherTag, body: { values: { name: { en: ' ' } } } },
  ],
];

const reads: [number, string, string, Call][] = [
  [404, 'not_found', `DELETE ${cms}/cooks/list/?${malformed}`, {}],
  [405, 'method_not_allowed', `DELETE ${cms}/cooks/list?${malformed}`, {}],
  [401, 'missing_api_key', `GET ${cms}/cooks/list?${malformed}`, {}],
  [401, 'invalid_api_key', `GET ${cms}/cooks/list?${malformed}`, { key: keys.revoked }],
  [403, 'permission_denied', `GET ${cms}/cooks/list?${malformed}`, { key: keys.powerless }],
  [400, 'invalid_query', `GET ${cms}/cooks/list?${malformed}`, { key: keys.reader }],
  [404, 'not_found', `GET ${cms}/cooks/list?fields=nope`, { key: keys.reader }],
  [400, 'unknown_field', `GET ${cms}/chefs/list?fields=nope`, { key: keys.reader }],
  [400, 'unknown_field', `GET ${cms}/chefs/chef_0?fields=nope`, { key: keys.reader }],
  [404, 'not_found', `GET ${cms}/chefs/chef_0`, { key: keys.reader }],
];

describe('a request with several reasons for refusal is answered with the first:', () => {
  it.each([...updates, ...reads])('%d %s: %s', async (status, code, request, given) => {
    const { text, ...answer } = await call(request, given);
    expect({ status: answer.status, code: JSON.parse(text).code }).toEqual({ status, code });
  });
});

describe('a refusal', () => {
  it.each([...updates, ...reads])(
    '%d %s is JSON of message, code and, on a 400, errors',
    async (status, _, request, given) => {
      const { headers, json } = await call(request, given);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(Object.keys(json)).toEqual(status === 400 ? ['message', 'code', 'errors'] : ['message', 'code']);
      expect(json.message).toMatch(/^.{10,300}$/);
      for (const error of json.errors ?? []) {
        expect(error).toEqual({
          path: expect.any(String),
          code: expect.stringMatching(/^[a-z_]+$/),
          message: expect.any(String),
        });
      }
      expect(headers).not.toHaveProperty('etag');
    },
  );

  it('contains no id of a 404, and changes nothing', async () => {
    const { headers } = await call(`GET ${cms}/chefs/chef_1`, { key: keys.reader });
    for (const [status, , request, given] of [...updates, ...reads]) {
      const { text } = await call(request, given);
      if (status === 404) expect(text).not.toMatch(/cooks|chef_0/);
    }
    expect((await call(`GET ${cms}/chefs/chef_1`, { key: keys.reader })).headers['etag']).toBe(headers['etag']);
  });
});

describe('a 400 lists all issues together,', () => {
  const list = (query: string) => call(`GET ${cms}/chefs/list?${query}`, { key: keys.reader });

  it('a 400 for a query lists all issues', async () => {
    const answer = await list('limit=0&offset=-1&fields=(&includeHidden=1&maxDepth=7&other=x');
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    const paths = answer.json.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['fields', 'includeHidden', 'limit', 'maxDepth', 'offset']);
  });

  it('a 400 for query and body lists all issues, and is invalid_body', async () => {
    const body = { value: {}, more: 1 };
    const answer = await call(`PATCH ${cms}/chefs/chef_1?maxDepth=7`, { key: keys.editor, body });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
    const paths = answer.json.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['maxDepth', 'more', 'value', 'values']);
  });

  it.each([
    ['{ "values": {}', 'line 1, column 15'],
    ['{\n  "values": {},\n}', 'line 3, column 1'],
    ['{ "values": { "name": "Ω\u{1F34B}" "joined": 1 } }', 'line 1, column 29'],
    ['values', 'line 1, column 1'],
  ])('a 400 for the text %j says that its error is at %s', async (body, place) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await call(`PATCH ${cms}/chefs/chef_1`, { key: keys.editor, headers, body });
    const { status, json } = answer;
    expect([status, json.code]).toEqual([400, 'invalid_body']);
    expect(json.errors[0].message).toBe(`The body must be valid JSON; the error is at ${place}.`);
  });

  it('a 400 for a long malformed text names no place, because finding it would take long', async () => {
    const body = `{ "values": "${'a'.repeat(20_000)}"`;
    const headers = { 'content-type': 'application/json' };
    const { json } = await call(`PATCH ${cms}/chefs/chef_1`, { key: keys.editor, headers, body });
    expect(json.errors[0].message).toBe('The body must be valid JSON.');
  });

  it('a 400 for values and names lists all issues, and is the first of invalid_query, validation_failed and unknown_field', async () => {
    const update = (fields: string, values: object) =>
      call(`PATCH ${cms}/chefs/chef_1?fields=${fields}`, { key: keys.editor, body: { values } });
    const unknown = await update('nope', { joined: 'soon' });
    expect(unknown).toMatchObject({ status: 400, json: { code: 'validation_failed' } });
    expect(issuesOf(unknown).sort()).toEqual(['fields.nope unknown_field', 'values.joined format']);
    const noRelation = await update('nope,name(x)', { joined: 'soon' });
    expect(noRelation).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    expect(issuesOf(noRelation).sort()).toEqual([
      'fields.name not_a_relation',
      'fields.nope unknown_field',
      'values.joined format',
    ]);
  });

  it.each([
    'limit=5&limit=6',
    'limit=5&limit=5',
    'offset=0&offset=0',
    'maxDepth=1&maxDepth=2',
    'includeHidden=true&includeHidden=false',
    'limit=5&%6Cimit=5',
    'limit=x&limit=5',
  ])('400 for %s, which repeats a parameter', async (query) => {
    const answer = await list(query);
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    expect(issuesOf(answer).sort()).toEqual([`${query.split('=')[0]} repeated`]);
  });
});

describe('a parameter', () => {
  const list = (query: string) => call(`GET ${cms}/chefs/list?${query}`, { key: keys.reader });
  const text = async (query: string) => (await list(query)).text;

  it.each([
    'limit=',
    'offset=',
    'fields=',
    'includeHidden=',
    'maxDepth=',
    'limit=&offset=&fields=&maxDepth=',
    'limit',
    '&&',
  ])('counts as absent when it is empty: %s', async (query) => expect(await text(query)).toBe(await text('')));

  it.each([
    'other=1',
    'other=1&other=2',
    'Limit=1',
    'limit[]=1',
    'limit.max=1',
    'max-depth=0',
    'page=2',
    'sortBy=name',
    '__proto__=1',
    'constructor=x',
    'toString=1',
    'Locale=ar',
    'filters[name]=x',
    '%FF=%FF',
    '=',
    'a',
  ])('has no effect when its name is unknown: %s', async (query) => {
    const [other, none] = await Promise.all([list(query), list('')]);
    expect(other.status).toBe(200);
    expect(other.text).toBe(none.text);
    const { 'x-request-id': _, ...headers } = none.headers;
    expect(other.headers).toMatchObject(headers);
  });
});
