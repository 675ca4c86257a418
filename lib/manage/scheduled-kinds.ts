import type { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { hiddenFields, leadsInto } from '#lib/domain/cms/hidden-fields.ts';
import { isObject } from '#lib/domain/input.ts';
import { cmsEntry } from '#lib/kinds/cms.ts';
import { menuCategory, menuProduct } from '#lib/kinds/menu.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { entryRules as entryStorage, menuRules } from '#lib/table/writer/scheduled-rules.ts';
import { type EditRules, type Granted, parseRecordAddress } from './managed-record.ts';

/** The fields of a database that a caller sees; hidden fields need a permission. */
export function visibleModel(model: Model, granted: Granted): Model {
  if (granted.has('cms:entry:read-hidden')) return model;
  return { ...model, fields: model.fields.filter(({ hidden }) => !hidden) };
}

/**
 * Entries have another form in the table than in documents. Drafts and hidden fields need separate permissions, so not
 * every caller sees a whole entry.
 */
export const entryRules: EditRules = {
  ...cmsEntry,
  storage: entryStorage,
  context: async ({ table, principal }) => ({ schema: await readCmsSchema(table, principal) }),
  hasParent: ({ modelId = '' }, { schema }) => schema?.models.has(modelId) === true,
  exists: (record, granted) => (record as unknown as CmsEntry).published || granted.has('cms:entry:read-unpublished'),
  view: (record, granted, { schema }) => {
    const entry = record as unknown as CmsEntry;
    const model = schema?.models.get(entry.modelId);
    return model ? exportedEntry(entry, visibleModel(model, granted), schema?.languages ?? []) : record;
  },
  formerView: (state, hidden, granted, { schema }) => {
    const { values, modelId } = state;
    if (granted.has('cms:entry:read-hidden') || !isObject(values)) return state;
    const fields = new Map(schema?.models.get(String(modelId))?.fields.map((field) => [field.key, field]));
    // A field may have been removed, and made again for all, since it was hidden.
    const isHidden = (key: string) => fields.get(key)?.hidden || hidden.includes(key);
    return { ...state, values: Object.fromEntries(Object.entries(values).filter(([key]) => !isHidden(key))) };
  },
  formerPaths: ({ changed, hidden }, { id }, granted, { schema }) => {
    if (granted.has('cms:entry:read-hidden')) return changed;
    const model = schema?.models.get(parseRecordAddress(id).modelId ?? '');
    const keys = model ? hiddenFields(model) : [];
    return changed.filter((path) => !hidden.includes(path) && !leadsInto(keys, path));
  },
};

/** The entries and the menu: the kinds whose records are logged for lists, and some of them change at a time. */
export const scheduledRules = {
  cmsEntry: entryRules,
  menuCategory: { ...menuCategory, storage: menuRules },
  menuProduct: { ...menuProduct, storage: menuRules },
};
