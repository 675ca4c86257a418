import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { someOf } from '#test/support/long-run.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const total = 1_203;

/** Three entries for each time stamp; the document lists them unordered. */
const notes = Array.from({ length: total }, (_, index) => {
  const shuffled = (index * 7_919) % total;
  const createdAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(shuffled / 3) * 1_000).toISOString();
  return { id: `note-${(shuffled * 31) % total}`, modelId: 'notes', createdAt, values: {} };
});

const inOrder = notes
  .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1))
  .map(({ id }) => ({ id }));

const kitchen = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push({
    id: 'notes',
    name: { en: 'Notes' },
    fields: [{ key: 'text', name: { en: 'Text' }, type: 'text' }],
  });
  cms.entries.push(...notes);
});
const list = (query: string) => call(`GET /api/public/cms/notes/list?fields=id&${query}`, { key: kitchen.keys.reader });

describe('paging through 1,203 entries', () => {
  it.each(someOf([77, 100], 1))('shows each entry one time, in order, with limit %d', async (limit) => {
    const seen: { readonly id: string }[] = [];
    let more = '1';
    while (more === '1') {
      const { status, headers, json } = await list(`limit=${limit}&offset=${seen.length}`);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'x-cms-total': String(total), 'x-cms-offset': String(seen.length) });
      seen.push(...json);
      more = headers['x-cms-has-more'] ?? '';
    }
    expect(more).toBe('0');
    expect(seen).toEqual(inOrder);
  });

  it.each([0, 1, 150, 202, 203, 204, 499, 500, 501, 702, 703, 704, 1_000, 1_199])(
    'shows the page at offset %d as a part of the whole list',
    async (offset) => {
      const { headers, json } = await list(`limit=3&offset=${offset}`);
      expect(json).toEqual(inOrder.slice(offset, offset + 3));
      expect(headers['x-cms-has-more']).toBe('1');
    },
  );

  it.each([
    [1_102, 100, '1'],
    [1_103, 100, '0'],
    [1_104, 100, '0'],
    [1_202, 1, '0'],
  ])('paging through 1,203 entries at offset %d with limit %d reports %s for more', async (offset, limit, more) => {
    const { headers, json } = await list(`limit=${limit}&offset=${offset}`);
    expect(json).toEqual(inOrder.slice(offset, offset + limit));
    expect(headers['x-cms-has-more']).toBe(more);
  });

  it.each(['1203', '1204', '999999999999999'])(
    'answers 200 with an empty page for the offset %s past the end',
    async (offset) => {
      const { status, headers, text } = await list(`offset=${offset}`);
      expect([status, text]).toEqual([200, '[]']);
      expect(headers).toMatchObject({ 'x-cms-total': '1203', 'x-cms-offset': offset, 'x-cms-has-more': '0' });
    },
  );

  it('has 20 entries a page by default', async () => {
    const { headers, json } = await list('');
    expect(json).toHaveLength(20);
    expect(headers).toMatchObject({ 'x-cms-limit': '20', 'x-cms-offset': '0' });
  });

  it('shows the order and total of an import in the next answer', async () => {
    const { document, keys } = await openWorkspace('kitchen');
    const all = { createdAt: '2025-01-01T00:00:00.000Z', modelId: 'things', values: { title: 'A thing' } };
    const leave = (createdAtById: Record<string, string>, prune = true) => {
      const entries = Object.entries(createdAtById).map(([id, createdAt]) => ({ ...all, id, createdAt }));
      return load({ version: 1, workspace: document.workspace, cms: { entries } }, { prune });
    };
    const things = async () => {
      const { headers, json } = await call('GET /api/public/cms/things/list?fields=id', { key: keys.reader });
      return [headers['x-cms-total'], ...json.map(({ id }: { id: string }) => id)];
    };
    expect(await things()).toEqual(['1', 'thing_1']);
    const [early, late, later] = [1, 2, 3].map((day) => `2026-02-0${day}T00:00:00.000Z`) as [string, string, string];
    await leave({ a: early, b: late }, false);
    expect(await things()).toEqual(['3', 'b', 'a', 'thing_1']);
    await leave({ b: late, c: later });
    expect(await things()).toEqual(['2', 'c', 'b']);
    await leave({ a: late, b: late });
    expect(await things()).toEqual(['2', 'b', 'a']);
    await leave({ c: early });
    expect(await things()).toEqual(['1', 'c']);
  });
});

describe('the bounds of limit, offset and maxDepth', () => {
  it.each(['limit=1', 'limit=100', 'offset=0', 'offset=999999999999999', 'maxDepth=0', 'maxDepth=6', '%6Cimit=7'])(
    'include %s',
    async (query) => expect((await list(query)).status).toBe(200),
  );

  it.each(['limit=0', 'limit=101', 'maxDepth=7', 'offset=1000000000000000', 'limit=1000000000000000'])(
    'refuse %s with 400 instead of the nearest allowed value',
    async (query) => {
      const { status, json } = await list(query);
      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'invalid_query', errors: [{ path: query.split('=')[0] }] });
    },
  );

  const malformed = [
    '-1',
    '+5',
    '%2B5',
    '%205',
    '5%20',
    '05',
    '00',
    '5.0',
    '5.',
    '.5',
    '1e1',
    '1e309',
    '0x10',
    '0b1',
    '1_0',
    '1,0',
    '%D9%A5',
    '%EF%BC%95',
    'five',
    'NaN',
    'Infinity',
    'null',
    'true',
    '[5]',
    '%00',
    '5%0A',
    '%',
  ];
  it.each(['limit', 'offset', 'maxDepth'].flatMap((name) => malformed.map((value) => [name, value])))(
    'refuse %s=%s with 400: not plain digits',
    async (name, value) => {
      const { status, json } = await list(`${name}=${value}`);
      expect(status).toBe(400);
      expect(json).toEqual({
        code: 'invalid_query',
        message: expect.stringContaining(name ?? ''),
        errors: [
          { path: name, code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringContaining(name ?? '') },
        ],
      });
    },
  );
});
