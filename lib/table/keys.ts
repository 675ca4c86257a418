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

/** A hash, because an address may contain any character. */
const membershipsOf = (address: string): string => `ADDRESS#${createHash('sha256').update(address).digest('hex')}`;

/** The partition of what a caller is counted by. */
export const callsOf = (workspaceId: string, callerId: string): string => `RATE#${workspaceId}#${callerId}`;

/** List order is key order, so that a page is one contiguous range. */
export const cmsEntrySortKey = (createdAt: string, id: string): string => `${createdAt}#${id}`;

export const cmsCollection = (modelId: string): string => `cms#${modelId}`;

/** The index of the menu: products and categories in one, so that a list of either reads one head. */
export const menuCollection = 'menu';

/** The index of the relations from CMS entries to products. */
export const relationCollection = 'product-relations';

/**
 * Every key of the table that several rooms use, with its access pattern; README.md names the files with the others. No id
 * contains `#`, so no id can reach another workspace or collection. Ids and slugs are checked at import. The repository
 * that uses a caller's input checks it.
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

  /** S1: a session by the hash of its cookie */
  session: (cookieHash: string) => key(`SESSION#${cookieHash}`, 'SESSION'),

  /** S2: the memberships of an address, as `memberAddress` spells it: workspace, member, time of the last sign-in */
  memberships: membershipsOf,
  membership: (address: string, workspaceId: string) => key(membershipsOf(address), workspaceId),

  /** I1: the record of an idempotency key */
  idempotencyRecord: (workspaceId: string, hash: string) => key(own(workspaceId, 'idempotency'), hash),

  /** R1: the rate bucket of a caller: an API key, a session or a visitor */
  rateBucket: (workspaceId: string, callerId: string) => key(callsOf(workspaceId, callerId), 'BUCKET'),

  /** R2: the hour of an API key's last use */
  keyUse: (workspaceId: string, keyId: string) => key(`USED#${workspaceId}`, keyId),

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
