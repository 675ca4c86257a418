import { Records } from '#lib/client/records.ts';
import { transport } from './client.ts';

/** The calls for keys and members in the form of other records. Keys are revoked, so they have no DELETE. */
export const keyCalls = new Records(transport, 'api-keys');
export const memberCalls = new Records(transport, 'members');

/** The audit events, which are read-only. */
export const eventCalls = new Records(transport, 'audit-events');
