import { describe, expect, it } from '@jest/globals';
import { withoutRequestId } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('kitchen');
const { keys: foreign } = await openWorkspace('kitchen');

/** The same list; each test sends the key in its own way. */
const list = (headers: Record<string, string> = {}, query = '') =>
  call(`GET /api/public/cms/chefs/list${query}`, { headers });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const mistyped = `wsk_${'A'.repeat(49)}`;
const unknown = 'nobody-has-ever-had-this-key';

describe('an API key', () => {
  it.each<[string, Record<string, string>, string]>([
    ['as a bearer token', bearer(keys.reader), ''],
    ['in x-api-key', { 'x-api-key': keys.reader }, ''],
    ['in the query', {}, `?apiKey=${keys.reader}`],
    ['in the query, percent-encoded', {}, `?apiKey=${keys.reader.replaceAll('_', '%5F')}`],
    ['in all three at the same time', { ...bearer(keys.reader), 'x-api-key': keys.reader }, `?apiKey=${keys.reader}`],
    ['with the scheme in lower case', { authorization: `bearer ${keys.reader}` }, ''],
    ['with the scheme in capitals', { authorization: `BEARER ${keys.reader}` }, ''],
    ['beside an empty bearer token', { authorization: 'Bearer ', 'x-api-key': keys.reader }, ''],
    ['beside a bearer scheme alone', { authorization: 'Bearer', 'x-api-key': keys.reader }, ''],
    ['beside an empty x-api-key', { ...bearer(keys.reader), 'x-api-key': '' }, ''],
    ['beside an empty apiKey', bearer(keys.reader), '?apiKey='],
    ['beside another scheme', { authorization: `Basic ${foreign.reader}`, 'x-api-key': keys.reader }, ''],
    ['beside a scheme with the same beginning', { authorization: `BearerX ${unknown}`, 'x-api-key': keys.reader }, ''],
    ['beside parameters of other names', bearer(keys.reader), `?apikey=${unknown}&api_key=${unknown}&key=${unknown}`],
    ['of an active member', bearer(keys.member), ''],
  ])('is accepted: %s', async (_, headers, query) => {
    const { status, json } = await list(headers, query);
    expect(status).toBe(200);
    expect(json).toHaveLength(4);
  });

  it('is in no answer', async () => {
    for (const [query, expected] of [
      ['', 200],
      ['&limit=0', 400],
      ['&fields=nope', 400],
      ['&apiKey=x', 401],
    ] as const) {
      const { status, text, headers } = await list({}, `?apiKey=${keys.reader}${query}`);
      expect([query, status]).toEqual([query, expected]);
      expect(text + JSON.stringify(headers)).not.toContain(keys.reader);
    }
  });
});

describe('401 without a key', () => {
  it.each<[string, Record<string, string>, string]>([
    ['nowhere', {}, ''],
    ['an empty bearer token', { authorization: 'Bearer' }, ''],
    ['a blank bearer token', { authorization: 'Bearer    ' }, ''],
    ['an empty x-api-key', { 'x-api-key': '' }, ''],
    ['an empty apiKey', {}, '?apiKey='],
    ['empty ones everywhere', { authorization: 'Bearer ', 'x-api-key': '' }, '?apiKey='],
    ['another scheme', { authorization: `Basic ${keys.reader}` }, ''],
    ['no scheme', { authorization: keys.reader }, ''],
    ['another header', { 'api-key': keys.reader, cookie: `apiKey=${keys.reader}` }, ''],
    ['another parameter', {}, `?ApiKey=${keys.reader}&api_key=${keys.reader}`],
  ])('%s: missing_api_key, and the message says where to send a key', async (_, headers, query) => {
    const answer = await list(headers, query);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json).toEqual({
      code: 'missing_api_key',
      message: expect.stringMatching(/Bearer.*x-api-key.*apiKey/),
    });
  });
});

describe('401 for an invalid key', () => {
  const refused: [string, Record<string, string>, string][] = [
    ['an unknown key', bearer(unknown), ''],
    ['a mistyped key', bearer(mistyped), ''],
    ['a key with its last character cut', bearer(keys.reader.slice(0, -1)), ''],
    ['a key with one more character', bearer(`${keys.reader}0`), ''],
    ['a key in another letter case', bearer(keys.reader.toUpperCase()), ''],
    ['an expired key', bearer(keys.expired), ''],
    ['a revoked key', bearer(keys.revoked), ''],
    ['the key of an inactive member', bearer(keys.formerMember), ''],
    ['a key of 19 characters', bearer('x'.repeat(19)), ''],
    ['a key of 201 characters', bearer('x'.repeat(201)), ''],
    ['a key of 3,000 characters', bearer('x'.repeat(3_000)), ''],
    ['3,000 characters in x-api-key', { 'x-api-key': 'x'.repeat(3_000) }, ''],
    ['3,000 characters in the query', {}, `?apiKey=${'x'.repeat(3_000)}`],
    ['a key that is not ASCII', bearer('مفتاحمفتاحمفتاحمفتاح'), ''],
    ['a key that is not ASCII in the query', {}, `?apiKey=${'%D9%85'.repeat(30)}`],
    ['a key with a blank in it', bearer('half-a-key and-the-other-half'), ''],
    ['a key with a NUL in it', {}, `?apiKey=${keys.reader}%00`],
    ['the hash of a key', bearer('a'.repeat(64)), ''],
    ['two bearer tokens joined', bearer(`${keys.reader}, Bearer ${keys.reader}`), ''],
    ['two keys in two headers', { ...bearer(keys.reader), 'x-api-key': keys.editor }, ''],
    ['two keys in header and query', bearer(keys.reader), `?apiKey=${keys.editor}`],
    ['two keys in x-api-key and query', { 'x-api-key': keys.reader }, `?apiKey=${keys.editor}`],
    ['keys of two workspaces', { ...bearer(keys.reader), 'x-api-key': foreign.reader }, ''],
    ['a right key beside an unknown one', { ...bearer(keys.reader), 'x-api-key': unknown }, ''],
    ['a right key beside a malformed one', { ...bearer(keys.reader), 'x-api-key': 'x' }, ''],
    ['apiKey twice', {}, `?apiKey=${keys.reader}&apiKey=${keys.editor}`],
    ['the same apiKey twice', {}, `?apiKey=${keys.reader}&apiKey=${keys.reader}`],
    ['the same apiKey twice, once escaped', {}, `?apiKey=${keys.reader}&%61piKey=${keys.reader}`],
  ];

  it.each(refused)('%s: the same answer for all', async (_, headers, query) => {
    const answer = await list(headers, query);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json).toEqual({ code: 'invalid_api_key', message: expect.any(String) });
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(await list(bearer(unknown))));
  });

  it.each(['GET chefs/chef_1', 'GET chefs/chef_0', 'GET cooks/list', 'HEAD chefs/list', 'PATCH chefs/chef_1'])(
    '401 with the same answer also for %s',
    async (request) => {
      const [method, path] = request.split(' ');
      const answer = await call(`${method} /api/public/cms/${path}`, { key: unknown });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    },
  );
});

describe('403 for a key without the permission', () => {
  it.each([
    ['GET', 'chefs/list', keys.powerless, 'cms:entry:read'],
    ['HEAD', 'chefs/list', keys.powerless, ''],
    ['GET', 'chefs/chef_1', keys.powerless, 'cms:entry:read'],
    ['GET', 'cooks/list', keys.powerless, 'cms:entry:read'],
    ['PATCH', 'chefs/chef_1', keys.powerless, 'cms:entry:read'],
    ['PATCH', 'chefs/chef_1', keys.reader, 'cms:entry:update'],
    ['PUT', 'chefs/chef_1', keys.member, 'cms:entry:update'],
  ])('%s %s names the missing permission', async (method, path, key, permission) => {
    const { status, text, headers } = await call(`${method} /api/public/cms/${path}`, { key });
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('www-authenticate');
    if (method !== 'HEAD') {
      expect(JSON.parse(text)).toEqual({ code: 'permission_denied', message: expect.stringContaining(permission) });
    }
  });
});
