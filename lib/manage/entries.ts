import type { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { exportedEntry } from '#lib/domain/cms/exported-entry.ts';
import { isObject, type JsonObject } from '#lib/domain/json-object.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { entryRules as entryStorage } from '#lib/table/writer/entry-rules.ts';
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
    // The database no longer tells whether a removed field was hidden.
    const isHidden = (key: string) => fields.get(key)?.hidden ?? hidden.includes(key);
    return { ...state, values: Object.fromEntries(Object.entries(values).filter(([key]) => !isHidden(key))) };
  },
  formerPaths: (paths, { id }, granted, { schema }) => {
    if (granted.has('cms:entry:read-hidden')) return paths;
    const fields = schema?.models.get(parseRecordAddress(id).modelId ?? '')?.fields ?? [];
    const hidden = new Set(fields.filter((field) => field.hidden).map(({ key }) => `values.${key}`));
    return paths.filter((path) => !hidden.has(path.split('.').slice(0, 2).join('.')));
  },
  complete: (record, stored, granted, { schema }, { restores }) => {
    const model = schema?.models.get(String(record['modelId']));
    // The hidden values of a deleted record come from its version.
    const source = stored ?? restores;
    if (!source || !model || granted.has('cms:entry:read-hidden')) return record;
    const values = isObject(source['values']) ? source['values'] : {};
    const hidden = model.fields.filter((field) => field.hidden && Object.hasOwn(values, field.key));
    const permitted = hidden.map(({ key }) => [key, values[key]]);
    return { ...record, values: { ...(record['values'] as JsonObject), ...Object.fromEntries(permitted) } };
  },
};

/** A merge patch removes values that are null. The check needs their names, because some may be those of no field. */
function withNamedValues(record: JsonObject, { values: patched }: JsonObject): JsonObject {
  const { values } = record;
  if (!isObject(patched) || !isObject(values)) return record;
  const removed = Object.entries(patched).filter(([, value]) => value === null);
  return { ...record, values: { ...values, ...Object.fromEntries(removed) } };
}
