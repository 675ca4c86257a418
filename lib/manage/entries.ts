import type { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { hiddenFields, leadsInto } from '#lib/domain/cms/hidden-fields.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { entryRules as entryStorage } from '#lib/table/writer/scheduled-rules.ts';
import { type EditRules, type ManageRequest, parseRecordAddress } from './managed-record.ts';

/** The databases and languages by which entries are checked and shown. */
export const entryContext = async ({ table, principal }: Pick<ManageRequest, 'table' | 'principal'>) => ({
  schema: await readCmsSchema(table, principal),
});

/** The fields of a database that a caller sees; hidden fields need a permission. */
export function visibleModel(model: Model, granted: ReadonlySet<string>): Model {
  if (granted.has('cms:entry:read-hidden')) return model;
  return { ...model, fields: model.fields.filter(({ hidden }) => !hidden) };
}

/**
 * Entries have another form in the table than in documents. Drafts and hidden fields need separate permissions, so not
 * every caller sees a whole entry. A write keeps the parts that its caller cannot see.
 */
export const entryRules: EditRules = {
  storage: entryStorage,
  context: entryContext,
  hasParent: ({ modelId = '' }, { schema }) => schema?.models.has(modelId) === true,
  exists: (record, granted) => (record as unknown as CmsEntry).published || granted.has('cms:entry:read-unpublished'),
  view: (record, granted, { schema }) => {
    const entry = record as unknown as CmsEntry;
    const model = schema?.models.get(entry.modelId);
    return model ? exportedEntry(entry, visibleModel(model, granted), schema?.languages ?? []) : record;
  },
  lookup: (lookup, granted) => ({
    ...lookup,
    model: async (id) => {
      const model = await lookup.model(id);
      return model && visibleModel(model, granted);
    },
  }),
  prepare: (record, { isPatch, patch }) => (isPatch ? withNamedValues(record, patch) : record),
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
  complete: (record, stored, granted, { schema }, { restores, body }) => {
    const model = schema?.models.get(String(record['modelId']));
    // The hidden values of a deleted record come from its version.
    const source = stored ?? restores;
    if (!source || !model || granted.has('cms:entry:read-hidden')) return record;
    const values = valuesOf(source);
    const shown = valuesOf(body);
    // A field that is hidden no more keeps its value where the version does not show the former one.
    const isUnseen = (key: string) =>
      stored !== undefined && Object.hasOwn(valuesOf(restores), key) && !Object.hasOwn(shown, key);
    const kept = model.fields.filter(({ key, hidden }) => (hidden || isUnseen(key)) && Object.hasOwn(values, key));
    const permitted = kept.map(({ key }) => [key, values[key]]);
    return { ...record, values: { ...(record['values'] as JsonObject), ...Object.fromEntries(permitted) } };
  },
};

const valuesOf = (record: JsonObject | undefined): JsonObject => (isObject(record?.['values']) ? record['values'] : {});

/** A merge patch removes values that are null. The check needs their names, because some may be those of no field. */
function withNamedValues(record: JsonObject, { values: patched }: JsonObject): JsonObject {
  const { values } = record;
  if (!isObject(patched) || !isObject(values)) return record;
  const removed = Object.entries(patched).filter(([, value]) => value === null);
  return { ...record, values: { ...values, ...Object.fromEntries(removed) } };
}
