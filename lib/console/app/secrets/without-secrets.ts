import { textOf } from '#lib/domain/json-object.ts';
import type { RecordCalls } from '../data/records.ts';
import type { Revealed } from './secret-dialog.tsx';

/** Removes the secret from the answer to a creation before the form stores the record. */
export const withoutSecrets = (calls: RecordCalls, reveal: (revealed: Revealed) => void): RecordCalls => ({
  list: (query) => calls.list(query),
  get: (id) => calls.get(id),
  update: (id, patch, options) => calls.update(id, patch, options),
  delete: (id, options) => calls.delete(id, options),
  create: async (input, options) => {
    const { record, etag } = await calls.create(input, options);
    const { secret, ...rest } = record;
    const name = textOf(rest['name']) || textOf(rest['url']);
    reveal({ id: record.id, name, secret: typeof secret === 'string' ? secret : undefined });
    return { record: { ...rest, id: record.id }, etag };
  },
});
