import type { RecordPage } from '#lib/client/manage.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { missingTranslations } from './database-model.ts';
import type { Entry } from './types.ts';

interface Lister {
  readonly list: (query?: Readonly<Record<string, unknown>>) => Promise<RecordPage>;
}

/** A page of the service has at most so many entries. */
const pageSize = 100;
/** A search ends after this number of entries, or of pages. */
const [enough, pagesMax] = [20, 10];

/**
 * Adds the list parameter `missing`, a language. It finds entries with a text in some language but none in this one.
 * The service filters by single fields, so the pages of its list are looked through. A page with a cursor and few rows,
 * or none, means that there is more to look through.
 */
export function withMissingTexts({ fields }: Pick<Model, 'fields'>, { list }: Lister): Lister {
  return {
    list: async ({ cursor, missing, ...query } = {}) => {
      const isMissing = (record: unknown) =>
        missingTranslations(fields, (record as Entry).values, [String(missing)]).length > 0;
      let page: RecordPage = { data: [], next: typeof cursor === 'string' ? cursor : null };
      for (let pages = 0; pages < pagesMax; pages++) {
        const { data, next } = await list({ ...query, limit: pageSize, cursor: page.next ?? undefined });
        page = { data: [...page.data, ...data.filter(isMissing)], next };
        if (next === null || page.data.length >= enough) break;
      }
      return page;
    },
  };
}
