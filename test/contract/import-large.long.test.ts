import { beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { asLines, exportText, importText } from '#test/support/document-text.ts';
import { newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import type { Document } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
const key = siteSecret(workspaceId);
const count = 2_500;

/** Entries whose ids and times have different orders; many share their times. */
const entries = Array.from({ length: count }, (_, number) => ({
  id: `n${(number * 1_237) % count}`,
  modelId: 'notes',
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(number / 3))).toISOString(),
  updatedAt: '2026-02-01T00:00:00.000Z',
  values: { text: `Note ${number} `.repeat(20), next: `n${(number + 1) % count}` },
}));

const document = (list: readonly object[]): Document => ({
  version: 1,
  workspace: { id: workspaceId, name: 'Large', languages: ['en'], defaultLanguage: 'en' },
  apiKeys: [{ id: 'key_site', name: 'Site', secret: key }],
  cms: {
    models: [
      {
        id: 'notes',
        name: { en: 'Notes' },
        fields: [
          { key: 'text', name: { en: 'Text' }, type: 'text' },
          { key: 'next', name: { en: 'Next' }, type: 'relation', relation: { to: 'cms:notes' } },
        ],
      },
    ],
    entries: list,
  },
});

const newestFirst = (list: readonly { id: string; createdAt: string }[]) =>
  list
    .map(({ id, createdAt }) => `${createdAt}#${id}`)
    .toSorted()
    .reverse()
    .map((row) => row.split('#')[1]);

/** The ids of the whole list, page by page. Expects the same total on every page. */
async function walk(limit: number) {
  const ids: string[] = [];
  const totals = new Set<string | undefined>();
  for (let more = '1'; more === '1'; ) {
    const request = `GET /api/public/cms/notes/list?fields=id&limit=${limit}&offset=${ids.length}`;
    const { json, headers } = await call(request, { key });
    ids.push(...json.map(({ id }: Document) => id));
    totals.add(headers['x-cms-total']);
    more = headers['x-cms-has-more'] ?? '';
  }
  return { ids, totals: [...totals] };
}

beforeAll(async () => {
  const seen: number[] = [];
  async function* watch<Record>(records: AsyncIterable<Record>, total: number) {
    seen.push(total, 0);
    for await (const record of records) {
      seen[1] = (seen[1] ?? 0) + 1;
      yield record;
    }
  }
  const { changed, failures, warnings } = await importText(asLines(document(entries)), 'ndjson', { watch });
  expect({ changed, failures, warnings, seen }).toEqual({
    changed: count + 3,
    failures: [],
    warnings: [],
    seen: [count + 3, count + 3],
  });
});

describe('2,500 entries of one database', () => {
  it.each([100, 97])('are listed one time each, in order, in pages of %i', async (limit) => {
    expect(await walk(limit)).toEqual({ ids: newestFirst(entries), totals: [String(count)] });
  });

  it.each(['n0', 'n1236', 'n2499'])('are found by their id: %s', async (id) => {
    const { status, json } = await call(`GET /api/public/cms/notes/${id}?maxDepth=0`, { key });
    expect([status, json.text]).toEqual([200, entries.find((entry) => entry.id === id)?.values.text]);
  });

  it('are exported as a whole, and imported without a change', async () => {
    const text = await exportText(workspaceId, 'ndjson');
    expect(text.match(/"kind":"cmsEntry"/g)).toHaveLength(count);
    expect((await importText(text, 'ndjson')).changed).toBe(0);
  });

  it('are counted and ordered correctly after some are added, changed and removed', async () => {
    const changedOnes = entries.map((entry, number) =>
      number % 500 === 7 ? { ...entry, values: { ...entry.values, text: 'Changed' } } : entry,
    );
    const next = [
      ...changedOnes.slice(3),
      { ...entries[0], id: 'new', createdAt: '2025-01-01T00:00:00.000Z' },
    ] as typeof entries;
    const { changed } = await importText(asLines(document(next)), 'ndjson', { prune: true });
    expect(changed).toBe(5 + 1 + 3);
    expect(await walk(100)).toEqual({ ids: newestFirst(next), totals: [String(next.length)] });
    for (const { id } of entries.slice(0, 3)) {
      expect((await call(`GET /api/public/cms/notes/${id}`, { key })).status).toBe(404);
    }
  });
});
