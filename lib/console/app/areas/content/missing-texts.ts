import type { RecordPage } from '#lib/client/records.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { missingTranslations } from './database-model.ts';
import type { Entry } from './types.ts';

type Query = Readonly<Record<string, unknown>>;

export interface Lister {
  readonly list: (query?: Query) => Promise<RecordPage>;
}

/** Progress and cancellation of a search. */
export interface Watch {
  /** Called before each page with the number of searched entries. */
  readonly note: (looked: number) => void;
  /** False ends the search after the current page. */
  readonly isWanted: () => boolean;
}

/** The maximum number of entries on a page. */
const pageSize = 100;
/** A search ends after this number of entries, or of pages. */
const enoughEntries = 20;
const pagesMax = 100;

/**
 * Adds the list parameter `missing`, a language. It finds entries with a text in some language but none in this one.
 * The service cannot filter by long texts or join filters by OR, so all pages of the list are searched. A page with a
 * cursor may be short or empty.
 */
export function withMissingTexts({ fields }: Pick<Model, 'fields'>, { list }: Lister, watch: Watch): Lister {
  return {
    list: async ({ cursor, missing, ...query } = {}) => {
      const isMissing = (record: unknown) =>
        missingTranslations(fields, (record as Entry).values, [String(missing)]).length > 0;
      let page: RecordPage = { data: [], next: typeof cursor === 'string' ? cursor : null };
      let looked = 0;
      for (let pages = 0; pages < pagesMax; pages++) {
        watch.note(looked);
        const { data, next } = await list({ ...query, limit: pageSize, cursor: page.next ?? undefined });
        looked += data.length;
        page = { data: [...page.data, ...data.filter(isMissing)], next };
        if (next === null || page.data.length >= enoughEntries || !watch.isWanted()) break;
      }
      return page;
    },
  };
}
