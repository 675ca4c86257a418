import type { MenuKind, RecordKind } from './record-kinds.ts';
import type { Key } from './schema.ts';

export type { LoggedKind, MenuKind, RecordKind } from './record-kinds.ts';

/**
 * Every key of the table, with its access pattern. No id contains `#`, so no id can reach another workspace or
 * collection. Ids and slugs are checked at import. The repository that uses a caller's input checks it.
 *
 * K1 the API key of a secret, by the secret's SHA-256
 * K2 the scope of a visitor's token, by the token's SHA-256
 * W1 all workspaces
 * W2 the records of one kind of a workspace, by id
 * W2n the menu records that an import has not yet moved to their keys (W2), by id and hash
 * W3 the record of a slug or another unique name; the records whose ids contain another time than `createdAt`; the
 * records that refer to a form, a channel or a customer
 * W4 the lease of a running import
 * W5 the guards of concurrent changes: a member's keys, and the managers of a workspace
 * W6 the last new references to a record, or the marks of its removal, in a few items: lib/table/writer/removal-marks.ts
 * S1 a session by the hash of its cookie
 * S2 the memberships of an address: workspace, member and the time of the last sign-in
 * M1 the messages of a conversation in order of time, and a pointer to each message by its id
 * M2 the run of an agent's reply to a message: its owner and its state
 * M3 the customers with an external id, e-mail address or phone number
 * M4 the last change of such an identity, so that concurrent changes conflict
 * M5 the tokens that the replies of a workspace used on a day, and the reservations of replies in progress
 * M6 the conversations of a workspace by activity, newest last; each message moves one
 * M7 the unresolved main conversations of a customer on a channel, newest last
 * M8 the last creation of such a conversation, so that concurrent creations conflict
 * M9 the last message that a member, or a customer, has read in each conversation
 * M10 the files that visitors of a conversation have uploaded, and those that its messages name
 * A1 the audit events of a workspace in order of time, and those of one record or by one actor
 * F1 the mail jobs to do, oldest first, in a few partitions so that many can be written at once
 * F3 the mail jobs that were given up and wait for an operator, oldest first, of a workspace or of all
 * I1 the record of an idempotency key
 * R1 the rate bucket of a caller: an API key, a session or a visitor's token
 * R2 the hour of an API key's last use
 * R3 the bytes that a caller has announced in an hour
 * R4 the website channels that a caller has made in an hour
 * U1 the announced attachments that are not stored yet, by the time they are given up, in a few partitions
 * P1 a public image of any workspace by its id: its address names no workspace
 * P2 the announced or removed images, by the time their objects are removed, in a few partitions
 * C1 the CMS databases of a workspace, and the head with their current version
 * C2 the entries of a CMS database in list order, and a pointer to each entry by its id
 * X1 the index of a collection: its head, the directory that the head names, the chunks that the directory names
 * X2 the log of a collection: the records that have changed since its base, oldest first
 * X3 the collections with a long log, for the compaction
 */
export const keys = {
  /** K1 */
  apiKey: (secretHash: string): Key => ({ pk: `KEY#${secretHash}`, sk: 'KEY' }),

  /** K2 */
  visitorToken: (tokenHash: string): Key => ({ pk: `TOKEN#${tokenHash}`, sk: 'TOKEN' }),

  /** W1 */
  workspaces: () => 'WORKSPACES',
  workspace: (workspaceId: string): Key => ({ pk: 'WORKSPACES', sk: workspaceId }),

  /** W2 */
  records: (workspaceId: string, kind: RecordKind) => recordsOf(workspaceId, kind),
  record: (workspaceId: string, kind: RecordKind, id: string): Key => ({ pk: recordsOf(workspaceId, kind), sk: id }),

  /** W2n */
  nextRecords: (workspaceId: string, kind: MenuKind) => `W#${workspaceId}#${kind}#next`,
  nextRecord: (workspaceId: string, kind: MenuKind, id: string, hash: string): Key => ({
    pk: `W#${workspaceId}#${kind}#next`,
    sk: `${id}#${hash}`,
  }),

  /** W3 */
  slugs: (workspaceId: string, kind: RecordKind) => `${recordsOf(workspaceId, kind)}#slug`,
  slug: (workspaceId: string, kind: RecordKind, slug: string): Key => ({
    pk: `${recordsOf(workspaceId, kind)}#slug`,
    sk: slug,
  }),

  /** W4 */
  importLease: (workspaceId: string): Key => ({ pk: `W#${workspaceId}`, sk: 'IMPORT' }),

  /** W5 */
  memberKeys: (workspaceId: string) => `ACCESS#${workspaceId}#memberKeys`,
  memberKeysOf: (workspaceId: string, memberId: string): Key => ({
    pk: `ACCESS#${workspaceId}#memberKeys`,
    sk: memberId,
  }),
  managers: (workspaceId: string): Key => ({ pk: `ACCESS#${workspaceId}#managers`, sk: 'MANAGERS' }),

  /** S1 and S2: lib/table/access/sign-in-keys.ts */

  /** M1 */
  messages: (workspaceId: string, conversationId: string) => `W#${workspaceId}#messages#${conversationId}`,
  message: (workspaceId: string, conversationId: string, createdAt: string, id: string): Key => ({
    pk: `W#${workspaceId}#messages#${conversationId}`,
    sk: `${createdAt}#${id}`,
  }),

  /** M2 */
  aiRun: (workspaceId: string, conversationId: string, agentId: string, messageId: string): Key => ({
    pk: `W#${workspaceId}#ai-runs#${conversationId}`,
    sk: `${agentId}#${messageId}`,
  }),

  /** M3: the identity is a hash of a customer's identifying detail, which several customers may share */
  customersOf: (workspaceId: string, identity: string) => ({
    pk: `W#${workspaceId}#customer#slug`,
    from: `${identity}#`,
    to: `${identity}#~`,
  }),

  /** M4 */
  customerChange: (workspaceId: string, identity: string): Key => ({
    pk: `W#${workspaceId}#customer-changes`,
    sk: identity,
  }),

  /** M5; a day in UTC, as `2026-11-20` */
  aiTokens: (workspaceId: string, day: string): Key => ({ pk: `W#${workspaceId}#ai-tokens`, sk: day }),

  /** A1: look-ups by record and by actor are pointers, whose sort key is the event's id */
  auditEvents: (workspaceId: string) => `W#${workspaceId}#audit`,
  auditEvent: (workspaceId: string, id: string): Key => ({ pk: `W#${workspaceId}#audit`, sk: id }),
  auditEventsOfRecord: (workspaceId: string, recordKind: string, recordId: string) =>
    `W#${workspaceId}#audit#record#${recordKind}#${recordId}`,
  auditEventsByActor: (workspaceId: string, actorId: string) => `W#${workspaceId}#audit#actor#${actorId}`,

  /** M6 to M10: lib/table/messaging/conversation-keys.ts */

  /** F1 */
  mailJobs: (shard: number) => `${mailJobPrefix}${shard}`,
  mailJob: (shard: number, createdAt: string, id: string): Key => ({
    pk: `${mailJobPrefix}${shard}`,
    sk: `${createdAt}#${id}`,
  }),

  /** F3 */
  parkedMailJobs: () => 'PARKED-MAIL',
  parkedMailJob: (workspaceId: string, createdAt: string, id: string): Key => ({
    pk: 'PARKED-MAIL',
    sk: `${workspaceId}#${createdAt}#${id}`,
  }),

  /** I1 */
  idempotencyRecord: (workspaceId: string, hash: string): Key => ({ pk: `W#${workspaceId}#idempotency`, sk: hash }),

  /** R1 */
  rateBucket: (workspaceId: string, callerId: string): Key => ({ pk: `RATE#${workspaceId}#${callerId}`, sk: 'BUCKET' }),

  /** R3; an hour in UTC, as `2026-11-20T09` */
  announcedBytes: (workspaceId: string, callerId: string, hour: string): Key => ({
    pk: `RATE#${workspaceId}#${callerId}`,
    sk: `ANNOUNCED#${hour}`,
  }),

  /** R4; an hour in UTC, as `2026-11-20T09` */
  madeChannels: (workspaceId: string, callerId: string, hour: string): Key => ({
    pk: `RATE#${workspaceId}#${callerId}`,
    sk: `CHANNELS#${hour}`,
  }),

  /** R2 */
  keyUse: (workspaceId: string, keyId: string): Key => ({ pk: `USED#${workspaceId}`, sk: keyId }),

  /** U1 */
  pendingAttachments: (shard: number) => `UPLOAD#${shard}`,
  pendingAttachment: (shard: number, givenUpAt: string, workspaceId: string, id: string): Key => ({
    pk: `UPLOAD#${shard}`,
    sk: `${givenUpAt}#${workspaceId}#${id}`,
  }),

  /** P1 */
  publicImage: (id: string): Key => ({ pk: `MEDIA#${id}`, sk: 'IMAGE' }),

  /** P2 */
  pendingImages: (shard: number) => `MEDIA-UPLOAD#${shard}`,
  pendingImage: (shard: number, removedAt: string, workspaceId: string, id: string): Key => ({
    pk: `MEDIA-UPLOAD#${shard}`,
    sk: `${removedAt}#${workspaceId}#${id}`,
  }),

  /** C1 */
  cmsSchema: (workspaceId: string): Key => ({ pk: `W#${workspaceId}`, sk: 'CMS' }),
  cmsModels: (workspaceId: string) => `W#${workspaceId}#cmsModel`,
  cmsModel: (workspaceId: string, modelId: string): Key => ({ pk: `W#${workspaceId}#cmsModel`, sk: modelId }),

  /** C2 */
  cmsEntries: (workspaceId: string, modelId: string) => `W#${workspaceId}#cms#${modelId}`,
  cmsEntry: (workspaceId: string, modelId: string, createdAt: string, id: string): Key => ({
    pk: `W#${workspaceId}#cms#${modelId}`,
    sk: cmsEntrySortKey(createdAt, id),
  }),
  cmsEntryPointers: (workspaceId: string, modelId: string) => `W#${workspaceId}#cms#${modelId}#id`,
  cmsEntryPointer: (workspaceId: string, modelId: string, id: string): Key => ({
    pk: `W#${workspaceId}#cms#${modelId}#id`,
    sk: id,
  }),

  /** X1 */
  index: (workspaceId: string, collection: string) => `W#${workspaceId}#index#${collection}`,
  indexHead: (workspaceId: string, collection: string): Key => ({
    pk: `W#${workspaceId}#index#${collection}`,
    sk: 'HEAD',
  }),
  indexPart: (workspaceId: string, collection: string, partId: string): Key => ({
    pk: `W#${workspaceId}#index#${collection}`,
    sk: `PART#${partId}`,
  }),

  /** X2 */
  changeLog: (workspaceId: string, collection: string) => `W#${workspaceId}#log#${collection}`,
  loggedChange: (workspaceId: string, collection: string, changeId: string, address: string): Key => ({
    pk: `W#${workspaceId}#log#${collection}`,
    sk: `${changeId}#${address}`,
  }),

  /** X3 */
  longLogs: () => 'LONG-LOGS',
  longLog: (workspaceId: string, collection: string): Key => ({ pk: 'LONG-LOGS', sk: `${workspaceId}#${collection}` }),
} as const;

const recordsOf = (workspaceId: string, kind: RecordKind): string =>
  `${kind === 'member' || kind === 'apiKey' ? 'ACCESS' : 'W'}#${workspaceId}#${kind}`;

/** Prefix of the partition keys of mail jobs, for functions that follow the table's changes. */
export const mailJobPrefix = 'MAIL#';

/** List order is key order, so that a page is one contiguous range. */
export const cmsEntrySortKey = (createdAt: string, id: string): string => `${createdAt}#${id}`;

export const cmsCollection = (modelId: string): string => `cms#${modelId}`;

/** The index of the menu: products and categories in one, so that a list of either reads one head. */
export const menuCollection = 'menu';

/** The index of the relations from CMS entries to products. */
export const relationCollection = 'product-relations';
