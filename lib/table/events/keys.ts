import { key } from '../keys.ts';

/** Not `own`, so that no pattern of a role for these partitions also names a CMS database. */
const eventsOf = (workspaceId: string, ...names: readonly string[]): string =>
  ['AUDIT', workspaceId, ...names].join('#');

/** Prefixes of the partition keys of events, for functions that follow the table's changes. */
export const eventPrefixes = ['AUDIT#', 'EVENTS#'] as const;

/** The keys of events and of the states of records, with the access patterns. */
export const eventKeys = {
  /** A1: the audit events in order of time, and pointers to those of one record or by one actor, by the event's id */
  auditEvents: eventsOf,
  auditEvent: (workspaceId: string, id: string) => key(eventsOf(workspaceId), id),
  auditEventsOfRecord: (workspaceId: string, recordKind: string, recordId: string) =>
    eventsOf(workspaceId, 'record', recordKind, recordId),
  auditEventsByActor: (workspaceId: string, actorId: string) => eventsOf(workspaceId, 'actor', actorId),

  /** A3: a record before and after a change, by the event's id; what deletions have removed, in order of time */
  version: (workspaceId: string, recordKind: string, recordId: string, eventId: string) =>
    key(`VERSIONS#${workspaceId}#${recordKind}#${recordId}`, eventId),
  deletions: (workspaceId: string) => `DELETIONS#${workspaceId}`,
  deletion: (workspaceId: string, eventId: string) => key(`DELETIONS#${workspaceId}`, eventId),

  /** A2: the events without an audit event, in order of time */
  events: (workspaceId: string) => `EVENTS#${workspaceId}`,
  event: (workspaceId: string, id: string) => key(`EVENTS#${workspaceId}`, id),
} as const;
