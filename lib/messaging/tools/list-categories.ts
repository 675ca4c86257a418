import * as z from 'zod/mini';
import type { CategoryAnswer, Found } from '#lib/ai/tool-answers.ts';
import type { MenuCategory } from '#lib/domain/menu/menu-category.ts';
import type { CategoryRow } from '#lib/domain/menu/menu-row.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { readMenuKnowledge } from '../knowledge/menu-knowledge.ts';
import { shortened, withoutMarkup } from '../knowledge/plain-text.ts';
import { defineTool } from './tool.ts';
import { query } from './tool-inputs.ts';

const listedMax = 40;
const descriptionCharactersMax = 200;

export const listCategories = defineTool({
  name: 'list_categories',
  description: 'Lists the categories of the menu with the number of their products; those that match a query first.',
  input: z.object({ query: query('Words that the name of a category may have.') }),
  run: (input, { table, scope, languages }) =>
    readMenuKnowledge(table, scope, async (knowledge, menu) => {
      const { published } = lookupsOf(knowledge.index);
      const hits = new Map(knowledge.categories.search(input.query).map((hit) => [hit.document, hit]));
      const matchOf = (row: CategoryRow): number => hits.get(row)?.match ?? 0;
      const rows = knowledge.index.categories
        .filter(({ id }) => published.has(id))
        .sort((a, b) => matchOf(b) - matchOf(a) || (a.createdAt < b.createdAt ? -1 : 1));
      const shown = rows.slice(0, listedMax);
      const categories = await Promise.all(shown.map((row) => menu.record<MenuCategory>('menuCategory', row)));
      const results = categories.map(
        ({ id, name, description }, index): CategoryAnswer => ({
          id,
          name: languages.name(name),
          description: shortened(withoutMarkup(languages.text(description)), descriptionCharactersMax) || undefined,
          productsCount: published.get(id)?.length ?? 0,
          match: matchOf(shown[index] as CategoryRow),
          named: hits.get(shown[index] as CategoryRow)?.named ?? false,
        }),
      );
      const answer: Found<CategoryAnswer> = { results, total: rows.length };
      const sources = categories.map(({ id, name }) => ({
        citation: { kind: 'category' as const, id },
        names: Object.values(name),
      }));
      return { answer, sources };
    }),
});
