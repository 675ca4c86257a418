import * as z from 'zod/mini';
import { listParameters } from '#lib/cms/list-parameters.ts';
import { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import { flag, localeParameters } from '#lib/http/query-parameters.ts';
import { createdAndUpdated, crud, defineKind, edits } from './define-kind.ts';

export const cmsEntry = defineKind({
  documentPath: ['cms', 'entries'],
  schema: z.partial(CmsEntry, createdAndUpdated),
  events: {
    path: 'cms-entries',
    actions: [...edits, 'published', 'unpublished'],
    read: ['cms:entry:read'],
    drafts: 'cms:entry:read-unpublished',
  },
  managed: {
    path: 'cms-entries',
    noun: 'CMS entry',
    label: { en: 'Entry', ar: 'مدخل' },
    idPath: '{modelId}/{id}',
    verbs: {
      ...crud('cms:entry:read', 'cms:entry:create'),
      // Both, because the required permissions must not reveal whether an entry exists.
      replace: { permissions: ['cms:entry:read', 'cms:entry:create', 'cms:entry:update'] },
      update: { permissions: ['cms:entry:read', 'cms:entry:update'] },
      delete: { permissions: ['cms:entry:delete'] },
    },
    hasHistory: true,
    idPrefix: '',
    isNeverUnchanged: true,
    listParameters: {
      modelId: { schema: z.string(), text: 'The id of the CMS database.' },
      published: {
        schema: z.optional(flag()),
        text: '`true` lists only published entries, `false` only others.',
      },
      filter: {
        schema: listParameters.filter,
        text: 'Conditions on fields, as on the list of entries: `filter[field]=value` or `filter[field.operator]=value`.',
      },
      sort: {
        schema: listParameters.sort,
        text: 'Fields to sort by, as on the list of entries. By default, the newest are first.',
      },
      search: { schema: listParameters.search, text: 'The same as `q`.' },
      locale: {
        schema: localeParameters.locale,
        text: 'The language in which texts are compared; records have all languages.',
      },
    },
    words: {
      record:
        'A CMS entry in the form of a workspace document: values by field, relations as ids, localized texts by language.',
      input: 'A CMS entry to store. A field without a value is left out or `null`.',
    },
  },
});

export const cmsKinds = { cmsEntry };
