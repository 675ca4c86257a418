import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from '../keys.ts';
import { containerMemory } from '../memory/container-memory.ts';
import type { Item } from '../schema.ts';
import type { Table } from '../table.ts';
import {
  type ChangeLog,
  idAt,
  type LoggedChange,
  type LogState,
  trustedMilliseconds,
  windowMilliseconds,
} from './change-log.ts';
import { proofOfKey } from './key-proof.ts';

interface View {
  state: LogState;
  changes: readonly LoggedChange[];
  /** When the last read began, and the last one of the whole log, by the clock of this container. */
  readAt: number;
  wholeAt: number;
}

const views = containerMemory.view<View>();
const bytesPerChange = 700;

const addressOf = ({ name }: Table, workspaceId: string): string => `${name}#${workspaceId}`;

/** The log of a workspace: one consistent query of its end, in the first read of a request. Access pattern X2. */
export const readLog = (table: Table, { workspaceId }: WorkspaceScope): Promise<ChangeLog> =>
  table.once(keys.log(workspaceId), () => readEnd(table, workspaceId));

/** Lets another table of the same request go on with the log that the request has read. */
export function keepLog(table: Table, { workspaceId }: WorkspaceScope, log: ChangeLog): void {
  void table.once(keys.log(workspaceId), async () => log);
}

async function readEnd(table: Table, workspaceId: string): Promise<ChangeLog> {
  const address = addressOf(table, workspaceId);
  const seen = views.get(address);
  const known = seen?.changes ?? [];
  const now = Date.now();
  const isTrusted = seen !== undefined && now >= seen.readAt && now - seen.wholeAt < trustedMilliseconds;
  const from = isTrusted ? idAt(seen.readAt - windowMilliseconds) : '';
  const { state, changes } = await readFrom(table, workspaceId, from);
  const current = views.get(address);
  // Another request may have opened the view in between.
  const view = current === seen || from === '' ? current : undefined;
  if (view && isContinued(view, current === seen ? known : [], changes, from, state)) {
    merge(view, changes, state, now, from === '');
    return logOf({ state, changes: view.changes, view });
  }
  if (from !== '') {
    if (current === seen) views.delete(address);
    return readEnd(table, workspaceId);
  }
  const opened = { state, changes, readAt: now, wholeAt: now };
  views.set(address, opened, bytesPerChange * (changes.length + 1));
  return logOf({ state, changes, view: opened });
}

const logOf = (log: Omit<ChangeLog, 'proofOfKey'>): ChangeLog => ({
  ...log,
  proofOfKey: (readAt) => proofOfKey(log, readAt),
});

async function readFrom(table: Table, workspaceId: string, from: string) {
  const items = await Array.fromAsync(table.query({ pk: keys.log(workspaceId), ...(from !== '' && { from }) }));
  const { sk: stateKey } = keys.logState(workspaceId);
  const state: LogState = items.at(-1)?.sk === stateKey ? (items.pop() as Item & LogState) : {};
  return { state, changes: items as (Item & LoggedChange)[] };
}

/**
 * Whether the read continues what the container knew. It does not if items were removed that it had not read, or if a
 * backup was restored, whose log lacks items that it has read.
 */
function isContinued(
  seen: View,
  known: readonly LoggedChange[],
  read: readonly LoggedChange[],
  from: string,
  { checkpoint = '' }: LogState,
): boolean {
  if (checkpoint > idAt(seen.readAt - windowMilliseconds)) return false;
  const found = new Set(read.map(({ sk }) => sk));
  return known.every(({ sk }) => sk < from || sk < checkpoint || found.has(sk));
}

function merge(seen: View, read: readonly LoggedChange[], state: LogState, now: number, isWhole: boolean): void {
  const known = new Set(seen.changes.map(({ sk }) => sk));
  const before = seen.changes.length;
  const arrived = read.filter(({ sk }) => !known.has(sk));
  const { checkpoint = '' } = state;
  const left =
    (seen.state.checkpoint ?? '') === checkpoint ? seen.changes : seen.changes.filter(({ sk }) => sk >= checkpoint);
  if (arrived.length > 0 || left !== seen.changes) seen.changes = [...left, ...arrived];
  if (now >= seen.readAt) seen.state = state;
  // After a jump of the clock, a whole read sets it right.
  seen.readAt = isWhole ? now : Math.max(seen.readAt, now);
  if (isWhole) seen.wholeAt = now;
  containerMemory.addBytes(seen, bytesPerChange * (seen.changes.length - before));
}

/** How many changes this container knew a moment ago; undefined if it has not read the log. */
export function knownChanges(table: Table, { workspaceId }: WorkspaceScope): number | undefined {
  const view = views.get(addressOf(table, workspaceId));
  return view && view.readAt >= Date.now() - windowMilliseconds ? view.changes.length : undefined;
}
