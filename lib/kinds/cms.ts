import * as z from 'zod/mini';
import { listParameters } from '#lib/cms/parameters.ts';
import { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import { Model } from '#lib/domain/cms/cms-model.ts';
import { localeParameters } from '#lib/http/locale.ts';
import { flag } from '#lib/http/query.ts';
import { createdAndUpdated, crud, defineKind } from './define-kind.ts';

const cmsModel = defineKind({
  documentPath: ['cms', 'models'],
  schema: Model,
  localized: ['name', 'fields[].name', 'fields[].options[].label'],
  managed: {
    path: 'cms-models',
    noun: 'CMS database',
    verbs: crud('cms:model:read', 'cms:model:manage'),
    idPrefix: 'model_',
    words: {
      record: 'A CMS database as it is stored, with its fields in their order.',
      input: 'A CMS database to store. Missing properties get their defaults.',
    },
  },
});

const cmsEntry = defineKind({
  documentPath: ['cms', 'entries'],
  schema: z.partial(CmsEntry, createdAndUpdated),
  managed: {
    path: 'cms-entries',
    noun: 'CMS entry',
    idPath: '{modelId}/{id}',
    verbs: {
      ...crud('cms:entry:read', 'cms:entry:create'),
      // Both, because the required permissions must not reveal whether an entry exists.
      replace: { permissions: ['cms:entry:read', 'cms:entry:create', 'cms:entry:update'] },
      update: { permissions: ['cms:entry:read', 'cms:entry:update'] },
      delete: { permissions: ['cms:entry:delete'] },
    },
    idPrefix: '',
    isNeverUnchanged: true,
    listParameters: {
      modelId: z.string(),
      published: z.optional(flag()),
      filter: listParameters.filter,
      sort: listParameters.sort,
      search: listParameters.search,
      locale: localeParameters.locale,
    },
    words: {
      record:
        'A CMS entry in the form of a workspace document: values by field, relations as ids, localized texts by language.',
      input: 'A CMS entry to store. A field without a value is left out or `null`.',
    },
  },
});

export const cmsKinds = { cmsModel, cmsEntry };
