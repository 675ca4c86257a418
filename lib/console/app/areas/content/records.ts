import { ApiError } from '#lib/client/api-error.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { client } from '../../data/client.ts';
import { type RecordCalls, useAllRecords } from '../../data/records.ts';
import { useMay } from '../../data/session-context.tsx';
import type { Members } from '../../editing/paths.ts';
import { unparsedFields } from './json-text.ts';

export const databaseKind = 'cms-models';
export const useDatabases = () => useAllRecords<Model>(databaseKind, client.manage.cmsModels);

/** A database with the fields that the member may see. `isMissing` is true if it does not exist. */
export function useDatabase(modelId: string) {
  const { data, error, refetch } = useDatabases();
  const maySeeHidden = useMay('cms:entry:read-hidden');
  const found = data?.find(({ id }) => id === modelId);
  const model = found && { ...found, fields: found.fields.filter(({ hidden }) => maySeeHidden || !hidden) };
  return { model, error, reload: () => void refetch(), isMissing: data !== undefined && !found };
}

/** The key of a database's entries in queries and drafts. */
export const entryKind = (modelId: string): string => `cms-entries/${modelId}`;

/** The entries of one database, by their own ids. */
export function entryCalls(modelId: string): RecordCalls {
  const { cmsEntries } = client.manage;
  const whole = (id: string) => `${modelId}/${id}`;
  return {
    list: (query) => cmsEntries.list({ ...query, modelId }),
    get: (id) => cmsEntries.get(whole(id)),
    create: async (record, options) => cmsEntries.create({ ...checked(record), modelId }, options),
    update: async (id, patch, options) => cmsEntries.update(whole(id), checked(patch), options),
    delete: (id, options) => cmsEntries.delete(whole(id), options),
  };
}

/** @throws ApiError like the service, because invalid JSON text cannot be sent as JSON */
function checked(record: Members): Members {
  const errors = unparsedFields(record['values']).map((key) => ({
    path: `values.${key}`,
    code: 'format',
    message: 'Must be JSON.',
  }));
  if (errors.length === 0) return record;
  throw new ApiError(400, { message: 'Must be JSON.', code: 'validation_failed', errors }, new Headers());
}
