import type { RecordPage } from '#lib/client/manage.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { missingTranslations } from './database-model.ts';
import type { Entry } from './types.ts';

type Query = Readonly<Record<string, unknown>>;

export interface Lister {
  readonly list: (query?: Query) => Promise<RecordPage>;
}

/** How a search is watched and ended. */
export interface Watch {
  /** Called before each page with the number of entries that were looked through. */
  readonly note: (looked: number) => void;
  /** False ends the search after the page that is being read. */
  readonly isWanted: () => boolean;
}

/** A page of the service has at most so many entries. */
const pageSize = 100;
/** A search ends after this number of entries, or of pages. */
const [enough, pagesMax] = [20, 100];

/**
 * Adds the list parameter `missing`, a language. It finds entries with a text in some language but none in this one.
 * The service filters by short texts alone and joins its filters by AND, so the pages of its list are looked through. A
 * page with a cursor and few rows, or none, means that there is more to look through.
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
        if (next === null || page.data.length >= enough || !watch.isWanted()) break;
      }
      return page;
    },
  };
}
