import { keys as keysOf } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Answer } from '../call.ts';
import { dueItems } from '../due-items.ts';
import { type Document, testTable } from '../world.ts';
import { kitchen } from './kitchen.ts';
import { call, preset } from './preset.ts';

/** A field of a document, whose id and order are derived from its ref. */
export const field = (ref: string, type: string, validations: object = {}, rest: object = {}) => ({
  id: `ff_${ref}`,
  ref,
  title: { en: `Title of ${ref}` },
  type,
  validations,
  ...rest,
});

export const form = (slug: string, fields: readonly object[], rest: object = {}) => ({
  id: `form_${slug}`,
  slug,
  title: { en: `Form ${slug}` },
  fields,
  ...rest,
});

/** The change of a document to these forms; `change` may alter it further. */
export const withForms =
  (all: readonly object[], change: (document: Document) => void = () => undefined) =>
  (document: Document): void => {
    document.forms = structuredClone(all);
    change(document);
  };

/** The stored data of a submit, by kind. */
export interface Stored {
  readonly responses: Document[];
  readonly notifications: Document[];
  readonly mailJobs: Item[];
}

export const pathOf = (slug: string): string => `/api/public/forms/${encodeURIComponent(slug)}`;

/** The kitchen with the calls of forms. */
export const forms = preset({
  ...kitchen,
  calls: ({ workspaceId, keys: { reader: key } }) => ({
    /** The key of the calls. */
    key,
    read: (slug: string, withKey = key): Promise<Answer> => call(`GET ${pathOf(slug)}?apiKey=${withKey}`),
    submit: (slug: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      call(`POST ${pathOf(slug)}?apiKey=${key}`, { body, headers }),
    /** The answers of one response: one call, and `stored` reads due work of all workspaces. */
    answersOf: async (id = ''): Promise<Document> => {
      const item = await testTable().get(keysOf.record(workspaceId, 'formResponse', id));
      return JSON.parse(String(item?.['record'])).answers;
    },
    stored: async (): Promise<Stored> => {
      const jobs = await dueItems('mail');
      return {
        responses: await recordsOf(workspaceId, 'formResponse'),
        notifications: await recordsOf(workspaceId, 'notification'),
        mailJobs: jobs.filter((job) => job['workspaceId'] === workspaceId),
      };
    },
  }),
});

const itemsOf = (pk: string): Promise<Item[]> => Array.fromAsync(testTable().query({ pk }));

async function recordsOf(workspaceId: string, kind: 'formResponse' | 'notification'): Promise<Document[]> {
  const items = await itemsOf(keysOf.records(workspaceId, kind));
  return items.map(({ record }) => JSON.parse(String(record)));
}
