import { key } from '../keys.ts';

/** Prefixes of the partition keys of events, for functions that follow the table's changes. */
export const eventPrefixes = ['AUDIT#', 'EVENTS#'] as const;

/** The keys of events and of the states of records, with the access patterns. */
export const eventKeys = {
  // Not `own`, so that no pattern of a role for these partitions also names a CMS database.
  /** A1: the audit events in order of time */
  auditEvents: (workspaceId: string) => `AUDIT#${workspaceId}`,
  auditEvent: (workspaceId: string, id: string) => key(`AUDIT#${workspaceId}`, id),

  /** A3: a record before and after a change, by the event's id */
  versions: (workspaceId: string, recordKind: string, recordId: string) =>
    `VERSIONS#${workspaceId}#${recordKind}#${recordId}`,
  version: (workspaceId: string, recordKind: string, recordId: string, eventId: string) =>
    key(eventKeys.versions(workspaceId, recordKind, recordId), eventId),

  /** A2: the events without an audit event, in order of time */
  events: (workspaceId: string) => `EVENTS#${workspaceId}`,
  event: (workspaceId: string, id: string) => key(`EVENTS#${workspaceId}`, id),
} as const;
