import { Records } from '#lib/client/manage.ts';
import { transport } from './client.ts';

/** Keys and members as the form of a record calls for them. Keys have no DELETE: they are revoked. */
export const keyCalls = new Records(transport, 'api-keys', encodeURIComponent);
export const memberCalls = new Records(transport, 'members', encodeURIComponent);

/** The audit events, which are only read. */
export const eventCalls = new Records(transport, 'audit-events', encodeURIComponent);
