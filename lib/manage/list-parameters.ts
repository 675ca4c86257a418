import * as z from 'zod/mini';
import { listParameters as entryLists } from '#lib/cms/parameters.ts';
import type { ManagedKindName } from '#lib/domain/manage/managed-kinds.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';
import { localeParameters } from '#lib/http/locale.ts';
import { flag, wholeNumber } from '#lib/http/query.ts';

/** The parameters of every list (lib/spec/additions.md section 2). */
const common = {
  limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 20),
  cursor: z.optional(z.string()),
  q: z.optional(z.string()),
};

/** Further parameters of single kinds. */
const parametersOfKind: Readonly<Partial<Record<ManagedKindName, Readonly<Record<string, z.ZodMiniType>>>>> = {
  'cms-entries': {
    modelId: z.string(),
    published: z.optional(flag()),
    filter: entryLists.filter,
    sort: entryLists.sort,
    search: entryLists.search,
    locale: localeParameters.locale,
  },
  'menu-products': {
    categoryId: z.optional(z.string()),
    published: z.optional(flag()),
    soldout: z.optional(flag()),
  },
  'form-responses': { formId: z.optional(z.string()), since: z.optional(TimeStamp), until: z.optional(TimeStamp) },
  notifications: { unread: z.optional(flag()) },
};

export const listParameters = z.object(common);

export const listParametersOf = (name: ManagedKindName): z.ZodMiniType =>
  z.object({ ...common, ...parametersOfKind[name] });

/** A page of records; `next` is the cursor of the page after it. */
export const recordPage = (record: z.ZodMiniType) => z.object({ data: z.array(record), next: z.nullable(z.string()) });
