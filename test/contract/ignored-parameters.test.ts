import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('kitchen');
const header = 'x-ignored-parameters';
const listWith = (query: string, key = keys.reader) => call(`GET /api/public/cms/chefs/list?${query}`, { key });

describe('x-ignored-parameters', () => {
  it('names each unknown parameter one time, in the order sent, and never a value', async () => {
    const { status, headers } = await listWith('slug=secret&limit=1&Limit=2&slug=3&a.b=');
    expect([status, headers[header]]).toEqual([200, 'slug, Limit, a.b']);
  });

  it('is absent if the route reads every parameter', async () => {
    for (const query of ['', 'limit=1&offset=0', `apiKey=${keys.reader}`]) {
      const { status, headers } = await listWith(query);
      expect([query, status]).toEqual([query, 200]);
      expect(headers).not.toHaveProperty(header);
    }
  });

  it('escapes names, so that none can imitate another header or name', async () => {
    const { headers } = await listWith('a%0d%0aset-cookie%3a%20b=1&c%2C%20d=2&%D9%83=3&%F0%9F%8D%BD=4&%ff=5&=6');
    expect(headers[header]).toBe('a%0D%0Aset-cookie%3A%20b, c%2C%20d, %D9%83, %F0%9F%8D%BD, %EF%BF%BD');
  });

  it("names at most 20 parameters, and never exceeds a proxy's limit", async () => {
    const many = Array.from({ length: 30 }, (_, index) => `p${index}=1`).join('&');
    const named = (await listWith(many)).headers[header]?.split(', ');
    expect(named).toEqual(Array.from({ length: 20 }, (_, index) => `p${index}`));
    const long = Array.from({ length: 20 }, (_, index) => `${index}${'x'.repeat(300)}=1`).join('&');
    expect((await listWith(long)).headers[header]?.length).toBeLessThanOrEqual(2_000);
  });

  it.each([
    ['a refusal of the query', 'limit=0&nope=1', 400],
    ['an answer that has not changed', 'nope=1', 304],
  ])('is sent with %s', async (_, query, status) => {
    const headers = { 'if-none-match': '*' };
    const answer = await call(`GET /api/public/cms/chefs/list?${query}`, { key: keys.reader, headers });
    expect([answer.status, answer.headers[header]]).toEqual([status, 'nope']);
  });

  it('is sent with a 403 and a 404 for a valid key, and not with a 401', async () => {
    const missing = await call('GET /api/public/cms/nothing/list?nope=1', { key: keys.reader });
    expect([missing.status, missing.headers[header]]).toEqual([404, 'nope']);
    const refused = await listWith('nope=1', keys.powerless);
    expect([refused.status, refused.headers[header]]).toEqual([403, 'nope']);
    const unknown = await listWith('nope=1', keys.revoked);
    expect([unknown.status, unknown.headers[header]]).toEqual([401, undefined]);
  });

  it('contains apiKey unless the route reads it', async () => {
    const menu = await call(`GET /api/public/menu/products?apiKey=${keys.reader}&slugs=1`);
    expect([menu.status, menu.headers[header]]).toEqual([200, 'slugs']);
    const room = await openWorkspace('chat');
    const body = { agentId: 'none', conversationId: 'none', lastMessageId: 'none' };
    const stream = await call('POST /api/v1/connect/ai-stream?apiKey=x&y=1', { key: room.key, body });
    expect([stream.status, stream.headers[header]]).toEqual([200, 'apiKey, y']);
  });

  it('contains parameters of other kinds of records, not those of the requested kind', async () => {
    const { manage } = await openWorkspace('records');
    const ignoredBy = async (list: string) => (await manage(`GET ${list}&limit=1&nope=1`)).headers[header];
    expect(await ignoredBy('cms-entries?modelId=chefs&filter[name]=x&sort=name')).toBe('nope');
    expect(await ignoredBy('form-responses?formId=form_1&since=2026-01-01T00:00:00Z')).toBe('nope');
    expect(await ignoredBy('notifications?unread=true')).toBe('nope');
    expect(await ignoredBy('menu-products?categoryId=cat_1&published=true&soldout=false')).toBe('nope');
    expect(await ignoredBy('forms?formId=form_1&soldout=true')).toBe('formId, soldout, nope');
  });

  it('is sent with no public answer, and adds no CORS header', async () => {
    const open = await call('GET /openapi.json?nope=1');
    expect([open.status, open.headers[header]]).toEqual([200, undefined]);
    const { headers } = await listWith('nope=1');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
