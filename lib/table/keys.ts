import { createHash } from 'node:crypto';
import type { MenuKind, RecordKind } from './record-kinds.ts';
import type { Key } from './schema.ts';

export type { LoggedKind, MenuKind, RecordKind } from './record-kinds.ts';

/** For the keys of a room of the table, which stand in a file of that room. */
export const key = (pk: string, sk: string): Key => ({ pk, sk });

/** A partition of a workspace. The roles of functions have patterns for these keys (lib/infra/access.ts). */
export const own = (workspaceId: string, ...names: readonly string[]): string => ['W', workspaceId, ...names].join('#');

/** The keys and members, which few roles may change. `W#*#member` would also name the CMS database `member`. */
const access = (workspaceId: string, name: string): string => `ACCESS#${workspaceId}#${name}`;

const recordsOf = (workspaceId: string, kind: RecordKind): string =>
  kind === 'member' || kind === 'apiKey' ? access(workspaceId, kind) : own(workspaceId, kind);

/** Not `own`, so that no pattern of a role for these partitions also names a CMS database. */
const eventsOf = (workspaceId: string, ...names: readonly string[]): string =>
  ['AUDIT', workspaceId, ...names].join('#');

/** A hash, because an address may contain any character. */
const membershipsOf = (address: string): string => `ADDRESS#${createHash('sha256').update(address).digest('hex')}`;

const callsOf = (workspaceId: string, callerId: string): string => `RATE#${workspaceId}#${callerId}`;

/** The types of work that is done later. */
export type DueType = 'attempt' | 'compaction' | 'conversation' | 'image' | 'mail' | 'schedule' | 'upload';

/** Prefix of the partition keys of due work, for functions that follow the table's changes. */
export const dueWorkPrefix = (type: DueType): string => `DUE#${type}#`;

/** Prefixes of the partition keys of events, for the same. */
export const eventPrefixes = ['AUDIT#', 'EVENTS#'] as const;

/** List order is key order, so that a page is one contiguous range. */
export const cmsEntrySortKey = (createdAt: string, id: string): string => `${createdAt}#${id}`;

export const cmsCollection = (modelId: string): string => `cms#${modelId}`;

/** The database of a collection of entries. */
export const modelIdOf = (collection: string): string | undefined =>
  collection.startsWith(cmsCollection('')) ? collection.slice(cmsCollection('').length) : undefined;

/** The index of the menu: products and categories in one, so that a list of either reads one head. */
export const menuCollection = 'menu';

/** The index of the relations from CMS entries to products. */
export const relationCollection = 'product-relations';

/**
 * Every key of the table, with its access pattern, but those of messaging (messaging/keys.ts) and webhooks
 * (webhooks/keys.ts). No id contains `#`, so no id can reach another workspace or
 * collection. Ids and slugs are checked at import. The repository that uses a caller's input checks it.
 */
export const keys = {
  /** K1: the API key of a secret, by the secret's SHA-256 */
  apiKey: (secretHash: string) => key(`KEY#${secretHash}`, 'KEY'),

  /** K2: the scope of a visitor's token, by the token's SHA-256 */
  visitorToken: (tokenHash: string) => key(`TOKEN#${tokenHash}`, 'TOKEN'),

  /** W1: all workspaces */
  workspaces: () => 'WORKSPACES',
  workspace: (workspaceId: string) => key('WORKSPACES', workspaceId),

  /** W2: the records of one kind of a workspace, by id */
  records: recordsOf,
  record: (workspaceId: string, kind: RecordKind, id: string) => key(recordsOf(workspaceId, kind), id),

  /** W2f: the menu records that an import has replaced, and that lists show until it has ended, by id */
  formerRecords: (workspaceId: string, kind: MenuKind) => own(workspaceId, kind, 'former'),
  formerRecord: (workspaceId: string, kind: MenuKind, id: string) => key(own(workspaceId, kind, 'former'), id),

  /**
   * W3: the record of a slug or another unique name; the records whose ids contain another time than `createdAt`; the
   * records that refer to a form, a channel, a customer or a conversation
   */
  slugs: (workspaceId: string, kind: RecordKind) => `${recordsOf(workspaceId, kind)}#slug`,
  slug: (workspaceId: string, kind: RecordKind, slug: string) => key(`${recordsOf(workspaceId, kind)}#slug`, slug),

  /** W4: the lease of a running import */
  importLease: (workspaceId: string) => key(own(workspaceId), 'IMPORT'),

  /** W5: the guards of concurrent changes: a member's keys, and the managers of a workspace */
  memberKeys: (workspaceId: string) => access(workspaceId, 'memberKeys'),
  memberKeysOf: (workspaceId: string, memberId: string) => key(access(workspaceId, 'memberKeys'), memberId),
  managers: (workspaceId: string) => key(access(workspaceId, 'managers'), 'MANAGERS'),

  /** W6: the last new references to a record, or the marks of its removal, in a few slots */
  referenceSlots: (workspaceId: string, kind: string, id: string) => own(workspaceId, 'references', kind, id),
  referenceSlot: (workspaceId: string, kind: string, id: string, slot: number) =>
    key(own(workspaceId, 'references', kind, id), String(slot)),

  /** S1: a session by the hash of its cookie */
  session: (cookieHash: string) => key(`SESSION#${cookieHash}`, 'SESSION'),

  /** S2: the memberships of an address, as `memberAddress` spells it: workspace, member, time of the last sign-in */
  memberships: membershipsOf,
  membership: (address: string, workspaceId: string) => key(membershipsOf(address), workspaceId),

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

  /** D1: the work of a type in the order of the times at which it is due, in a few partitions (lib/table/due) */
  dueWork: (type: DueType, shard: number) => `${dueWorkPrefix(type)}${shard}`,

  /** D2: the work of a type that was given up and waits for an operator, by its group and time */
  parkedWork: (type: DueType) => `PARKED#${type}`,

  /** I1: the record of an idempotency key */
  idempotencyRecord: (workspaceId: string, hash: string) => key(own(workspaceId, 'idempotency'), hash),

  /** R1: the rate bucket of a caller: an API key, a session or a visitor */
  rateBucket: (workspaceId: string, callerId: string) => key(callsOf(workspaceId, callerId), 'BUCKET'),

  /** R2: the hour of an API key's last use */
  keyUse: (workspaceId: string, keyId: string) => key(`USED#${workspaceId}`, keyId),

  /** R3: the bytes that a caller has sent in an hour in UTC, as `2026-11-20T09`, and a visitor in a day */
  sentBytes: (workspaceId: string, callerId: string, period: string) =>
    key(callsOf(workspaceId, callerId), `SENT#${period}`),

  /** R4: the website channels that a caller has made in such an hour */
  madeChannels: (workspaceId: string, callerId: string, hour: string) =>
    key(callsOf(workspaceId, callerId), `CHANNELS#${hour}`),

  /** R5: the invitations of a workspace on a day in UTC: all, and those of an address by its SHA-256 */
  invitations: (workspaceId: string, day: string, counted: string) =>
    key(`RATE#${workspaceId}#invitations`, `${day}#${counted}`),

  /** P1: a public image of any workspace by its id: its address names no workspace */
  publicImage: (id: string) => key(`MEDIA#${id}`, 'IMAGE'),

  /** C1: the entries of a CMS database in list order, and a pointer to each entry by its id */
  cmsEntries: (workspaceId: string, modelId: string) => own(workspaceId, 'cms', modelId),
  cmsEntry: (workspaceId: string, modelId: string, createdAt: string, id: string) =>
    key(own(workspaceId, 'cms', modelId), cmsEntrySortKey(createdAt, id)),
  cmsEntryPointers: (workspaceId: string, modelId: string) => own(workspaceId, 'cms', modelId, 'id'),
  cmsEntryPointer: (workspaceId: string, modelId: string, id: string) =>
    key(own(workspaceId, 'cms', modelId, 'id'), id),

  /** X1: the index of a collection: its head, the directory that the head names, the chunks that the directory names */
  index: (workspaceId: string, collection: string) => own(workspaceId, 'index', collection),
  indexHead: (workspaceId: string, collection: string) => key(own(workspaceId, 'index', collection), 'HEAD'),
  indexPart: (workspaceId: string, collection: string, partId: string) =>
    key(own(workspaceId, 'index', collection), `PART#${partId}`),

  /** X2: the log of a workspace: the records that have changed, oldest first, and the state of lists and databases last */
  log: (workspaceId: string) => own(workspaceId, 'log'),
  loggedChange: (workspaceId: string, changeId: string) => key(own(workspaceId, 'log'), changeId),
  logState: (workspaceId: string) => key(own(workspaceId, 'log'), '~'),
} as const;
