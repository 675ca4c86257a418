import { setTimeout as pause } from 'node:timers/promises';
import { derived } from '#lib/domain/derived.ts';
import { keys } from '../keys.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Item, Table, WorkspaceScope } from '../table.ts';
import {
  type ChangeLog,
  hasChangesSince,
  hasEnded,
  idAt,
  type KeyProof,
  type LoggedChange,
  type LogState,
  trustedMilliseconds,
  windowMilliseconds,
} from './change-log.ts';

interface View {
  state: LogState;
  changes: readonly LoggedChange[];
  readonly ids: Set<string>;
  /** The changes that the next read meets again, because they are in its window. */
  recent: readonly LoggedChange[];
  /** When the last read began, and the last one of the whole log, by the clock of this container. */
  readAt: number;
  wholeAt: number;
}

const views = containerMemory.view<View>();
const bytesPerChange = 700;

const addressOf = ({ name }: Table, workspaceId: string): string => `${name}#${workspaceId}`;

/** The log of a workspace: a consistent read of its end, in the first reads of a request. Access pattern X2. */
export const readLog = (table: Table, { workspaceId }: WorkspaceScope): Promise<ChangeLog> =>
  table.once(keys.log(workspaceId), () => readInTurn(table, workspaceId));

/** Lets another table of the same request go on with the log that the request has read. */
export function keepLog(table: Table, { workspaceId }: WorkspaceScope, log: ChangeLog): void {
  void table.once(keys.log(workspaceId), async () => log);
}

/** The read of each log that is under way, and the one that follows it. */
const turns = new Map<string, { readonly read: Promise<ChangeLog>; next?: Promise<ChangeLog> }>();
/** A read that hangs does not hold up the next one. */
const turnMillisecondsMax = 200;

/** Requests that come during a read share the next one, which begins after all of them. */
function readInTurn(table: Table, workspaceId: string): Promise<ChangeLog> {
  const address = addressOf(table, workspaceId);
  const begin = (): Promise<ChangeLog> => {
    const read = readEnd(table, workspaceId).finally(() => turns.get(address)?.read === read && turns.delete(address));
    turns.set(address, { read });
    return read;
  };
  const turn = turns.get(address);
  if (!turn) return begin();
  const follow = async (): Promise<ChangeLog> => {
    await Promise.race([turn.read, pause(turnMillisecondsMax, undefined, { ref: false })]).catch(() => undefined);
    return begin();
  };
  // The request that has begun it may run out of time.
  turn.next = turn.next?.catch(follow) ?? follow();
  return turn.next;
}

async function readEnd(table: Table, workspaceId: string): Promise<ChangeLog> {
  const address = addressOf(table, workspaceId);
  const seen = views.get(address);
  const now = Date.now();
  const isTrusted = seen !== undefined && now >= seen.readAt && now - seen.wholeAt < trustedMilliseconds;
  const known = isTrusted ? seen.recent : (seen?.changes ?? []);
  const end = await (isTrusted ? readWindow(table, workspaceId, seen) : readFrom(table, workspaceId, ''));
  // Another read has opened or closed it in between.
  if (views.get(address) !== seen) return readEnd(table, workspaceId);
  if (seen && isContinued(seen, known, end)) return merged(seen, end, now, !isTrusted);
  views.delete(address);
  if (isTrusted) return readEnd(table, workspaceId);
  const opened: View = { state: end.state, changes: [], ids: new Set(), recent: [], readAt: now, wholeAt: now };
  views.set(address, opened, bytesPerChange);
  return merged(opened, end, now, true);
}

/** What a read has found from an id on. */
interface End {
  readonly from: string;
  readonly state: LogState;
  readonly changes: readonly LoggedChange[];
}

/** So many known changes are counted instead of being read again. */
const countedMin = 50;
/** The changes of the last seconds before a read arrive in any order, so the next one reads them again. */
const freshMilliseconds = 2_000;

/**
 * Reads a window, but not the changes in it that the container knows: if the table counts as many of the older ones, none
 * of them has come late. After a busy minute there are thousands.
 */
async function readWindow(table: Table, workspaceId: string, { readAt, recent }: View): Promise<End> {
  const [from, fresh] = [idAt(readAt - windowMilliseconds), idAt(readAt - freshMilliseconds)];
  const older = recent.filter(({ sk }) => sk < fresh).length;
  if (older < countedMin) return readFrom(table, workspaceId, from);
  const range = { pk: keys.log(workspaceId), from, to: fresh };
  const [end, count] = await Promise.all([readFrom(table, workspaceId, fresh), table.count(range)]);
  return count === older ? end : readFrom(table, workspaceId, from);
}

async function readFrom(table: Table, workspaceId: string, from: string): Promise<End> {
  const items = await table.all({ pk: keys.log(workspaceId), ...(from !== '' && { from }) });
  const { sk: stateKey } = keys.logState(workspaceId);
  const state: LogState = items.at(-1)?.sk === stateKey ? (items.pop() as Item & LogState) : {};
  return { from, state, changes: items as (Item & LoggedChange)[] };
}

/**
 * Whether the read continues what the container knew. It does not if items were removed that it had not read, or if a
 * backup was restored, whose log lacks items that it has read.
 */
function isContinued(seen: View, known: readonly LoggedChange[], { from, state, changes }: End): boolean {
  const { checkpoint = '' } = state;
  if (checkpoint > idAt(seen.readAt - windowMilliseconds)) return false;
  const found = new Set(changes.map(({ sk }) => sk));
  return known.every(({ sk }) => sk < from || sk < checkpoint || found.has(sk));
}

function merged(seen: View, { state, changes: read }: End, now: number, isWhole: boolean): ChangeLog {
  const before = seen.changes.length;
  const arrived = read.filter(({ sk }) => !seen.ids.has(sk));
  const { checkpoint = '' } = state;
  const isCompacted = (seen.state.checkpoint ?? '') !== checkpoint;
  const left = isCompacted ? seen.changes.filter(({ sk }) => sk >= checkpoint) : seen.changes;
  if (isCompacted) for (const id of seen.ids) if (id < checkpoint) seen.ids.delete(id);
  for (const { sk } of arrived) seen.ids.add(sk);
  if (arrived.length > 0 || isCompacted) seen.changes = [...left, ...arrived];
  if (now >= seen.readAt) seen.state = state;
  // After a jump of the clock, a whole read sets it right.
  seen.readAt = isWhole ? now : Math.max(seen.readAt, now);
  if (isWhole) seen.wholeAt = now;
  const from = idAt(seen.readAt - windowMilliseconds);
  seen.recent = (isWhole ? seen.changes : [...seen.recent, ...arrived]).filter(({ sk }) => sk >= from);
  containerMemory.addBytes(seen, bytesPerChange * (seen.changes.length - before));
  // A read that took longer than another may have an older state.
  const removedBefore = [checkpoint, seen.state.checkpoint ?? ''].sort()[1] ?? '';
  const log = { state, changes: seen.changes, view: seen, removedBefore };
  return { ...log, proofOfKey: (readAt) => proofOfKey(log, readAt) };
}

/** How many changes this container knew a moment ago; undefined if it has not read the log. */
export function knownChanges(table: Table, { workspaceId }: WorkspaceScope): number | undefined {
  const view = views.get(addressOf(table, workspaceId));
  return view && view.readAt >= Date.now() - windowMilliseconds ? view.changes.length : undefined;
}

const accessChanges = derived((changes: readonly LoggedChange[]) =>
  changes.filter(({ kind }) => kind === 'access').map(({ sk }) => sk),
);

/**
 * The proof of a key that the same request has read.
 * @param readAt when the read of the key began, in milliseconds since 1970
 * @returns undefined if a change may have been half visible
 */
function proofOfKey({ changes, view }: Pick<ChangeLog, 'changes' | 'view'>, readAt: number): KeyProof | undefined {
  // The key certainly includes these.
  const included = new Set(accessChanges(changes));
  if (![...included].every((id) => hasEnded(id, readAt))) return undefined;
  // The log of another view may lack changes.
  const viewOfKey = new WeakRef(view);
  return {
    readAt,
    endsAt: readAt + trustedMilliseconds,
    isUnchanged: (later) =>
      viewOfKey.deref() === later.view &&
      hasChangesSince(later, readAt) &&
      accessChanges(later.changes).every((id) => included.has(id)),
  };
}
