import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys, workspaceId } = await openWorkspace('access');
const { admin } = keys;
const path = 'GET /api/v1/manage/api-keys';
const list = (query: string, key = admin) => call(`${path}?${query}`, { key });
const ids = (answer: { json: { data: { id: string }[] } }) => answer.json.data.map(({ id }) => id);

describe('the list of keys', () => {
  it('is ordered by name, and its pages show each key one time and without its secret', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`limit=4${cursor && `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/secret|hash/i);
      expect(page.text).not.toContain(workspaceId);
      seen.push(...ids(page));
      cursor = page.json.next;
    }
    const all = await list('limit=100');
    expect(all.json.next).toBeNull();
    expect(seen).toEqual(ids(all));
    const names = all.json.data.map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    expect(seen).toHaveLength(13);
  });

  it('finds words of names and ids, whatever their case and accents', async () => {
    expect(ids(await list('q=CHIEF'))).toEqual(['key_chief']);
    expect(ids(await list('q=key_cms'))).toEqual(['key_cmsOnly']);
    expect(ids(await list('q=nothing-like-it'))).toEqual([]);
  });

  it('refuses a limit out of range, and a cursor of another list', async () => {
    expect((await list('limit=0')).json.code).toBe('invalid_query');
    expect((await list('limit=101')).json.code).toBe('invalid_query');
    const { next } = (await list('limit=1')).json;
    const { status, json } = await list(`limit=1&q=e&cursor=${next}`);
    expect([status, json.code, json.errors[0]]).toMatchObject([
      400,
      'invalid_query',
      { path: 'cursor', code: 'format' },
    ]);
    expect((await list('cursor=abc')).status).toBe(400);
  });

  it('requires its permission', async () => {
    expect((await list('', keys.chief)).json.message).toContain('access:key:read');
    expect((await call(path)).status).toBe(401);
    expect((await call(`${path}?apiKey=${admin}`)).status).toBe(401);
  });
});
