import { describe, expect, it } from '@jest/globals';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { callTool } from '#test/support/demo-tools.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const idsIn = ({ json }: { json: { results: { id: string }[] } }): string[] => json.results.map(({ id }) => id);

describe('search_menu in a large menu', () => {
  it('finds names beyond the first 5,000 products', async () => {
    const large = await openWorkspace('demo', (document) => {
      document.menu.products = Array.from({ length: 5_200 }, (_, index) => ({
        id: `p_${String(index).padStart(5, '0')}`,
        slug: `p-${index}`,
        name: { en: `Plate zq${index}x` },
        intro: { en: `With sauce vk${index}y` },
        priceOptions: [{ id: 'po', price: 10 + index }],
        categoryId: 'cat_rice',
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      }));
      for (const entry of document.cms.entries)
        for (const key of ['signature', 'products']) if (entry.values[key]) entry.values[key] = [];
      document.cms.entries = document.cms.entries.filter(({ modelId }: { modelId: string }) => modelId !== 'pairings');
    });
    expect(idsIn(await callTool(large, 'search_menu', { query: 'zq5150x' }))).toEqual(['p_05150']);
    expect(idsIn(await callTool(large, 'search_menu', { query: 'sauce vk4000y' }))).toContain('p_04000');
  });
});

describe('search_cms in a large database', () => {
  it('finds names beyond the first 5,000 entries, with their current values', async () => {
    const large = await openWorkspace('demo', (document) => {
      const notes = Array.from({ length: 5_300 }, (_, index) => ({
        id: `note_${index}`,
        modelId: 'topics',
        createdAt: new Date(Date.UTC(2026, 5, 1) - index * 1_000).toISOString(),
        updatedAt: '2026-06-01T00:00:00.000Z',
        values: { name: { en: `Note zq${index}x` }, summary: { en: `About vk${index}y` } },
      }));
      document.cms.entries = document.cms.entries
        .filter(({ modelId }: { modelId: string }) => modelId !== 'topics')
        .concat(notes);
    });
    expect(idsIn(await callTool(large, 'search_cms', { query: 'zq5250x' }))).toEqual(['note_5250']);
    expect(idsIn(await callTool(large, 'search_cms', { query: 'vk4000y' }))).toEqual(['note_4000']);
    const entry = await new CmsEntries(testTable(), large).find('topics', 'note_7');
    if (!entry) throw new Error('The note is missing.');
    await testTable().put({ ...entry, values: { ...entry.values, summary: { en: 'Changed.' } }, revision: 'r2' });
    const { output } = await callTool(large, 'search_cms', { query: 'zq7x' });
    expect(output).toContain('Changed.');
    expect(output).not.toContain('vk7y');
    await testTable().put({ ...entry, published: false, revision: 'r3' });
    expect(idsIn(await callTool(large, 'search_cms', { query: 'zq7x' }))).toEqual([]);
  });
});
