import { Records } from '#lib/client/records.ts';
import { transport } from './client.ts';
import type { RecordCalls } from './records.ts';

/** The calls for keys and members in the form of other records. Keys have no DELETE: a key that is gone is revoked. */
const keys = new Records(transport, 'api-keys');
export const keyCalls: RecordCalls = {
  list: (query) => keys.list(query),
  get: keys.get,
  create: (key, options) => keys.create(key, options),
  update: keys.update,
  delete: async (id, options) => void (await keys.update(id, { revokedAt: new Date().toISOString() }, options)),
};
export const memberCalls: RecordCalls = new Records(transport, 'members');

/** The audit events, which are read-only. */
export const eventCalls = new Records(transport, 'audit-events');
