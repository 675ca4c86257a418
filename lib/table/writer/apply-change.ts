import { started } from '#lib/domain/started.ts';
import { ConditionFailed, Contended, HeldByImport, Unavailable } from '../errors.ts';
import { keys } from '../keys.ts';
import { isHeldByImport } from '../log/change-log.ts';
import { logAgain, transactLogged } from '../log/write-log.ts';
import type { Item, Table, TransactItem, WorkspaceScope, Writes } from '../table.ts';
import type { AppliedChange, DecidedChange, Plan, StorageRules, WriteContext, WriteScope } from './change.ts';
import { type RepeatedWrite, repeatWrite } from './repeat-write.ts';

type RefusalReason =
  | 'missing'
  | 'duplicate'
  | 'orphaned'
  | 'use_import'
  | 'last_manager'
  | 'no_member'
  | 'too_many_keys'
  | 'too_many_webhooks';

/**
 * The reason for a refused change. Nothing is stored. `orphaned`: a parent was removed since it was read. `use_import`:
 * the change would rewrite more rows than one request can. `last_manager`: no other active member could manage members.
 * `no_member` and `too_many_keys` are about the member of a new key. `too_many_webhooks`: the workspace has 20.
 */
export class ChangeRefused extends Error {
  override readonly name = 'ChangeRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`The change was refused: ${reason}.`);
    this.reason = reason;
  }
}

/**
 * Creates, replaces or removes one record, with its names, pointers and log item. It takes two round trips at any size
 * of the collection: the reads, and one transaction.
 * @param rules those of the kind, so that a function has only the rules of what it writes
 * @returns the result; the next reader sees it
 * @throws ChangeRefused, ConditionFailed of a write in `additionalWrites`, Unavailable (also while an import of the
 * workspace runs)
 */
export const applyChange = <Stored>(
  rules: StorageRules<Stored>,
  table: Table,
  scope: WorkspaceScope,
  change: DecidedChange,
  context: WriteContext,
): Promise<AppliedChange> => repeatWrite(table, changeSteps(rules, table, scope, change, context));

/** The steps of `applyChange`, for a write that repeats them with others. */
export function changeSteps<Stored>(
  rules: StorageRules<Stored>,
  table: Table,
  { workspaceId }: WorkspaceScope,
  change: DecidedChange,
  context: WriteContext,
): RepeatedWrite<PreparedChange, AppliedChange> {
  const scope = { workspaceId, context };
  let current: Item | undefined;
  let stored: Item | undefined;
  return {
    turn: `${workspaceId} ${change.kind} ${change.modelId ?? ''} ${change.id}`,
    prepare: (tries) => {
      const reads = tries === 1 ? table : table.uncached();
      // The failed condition has returned it.
      if (current) reads.prime(current, current);
      return prepare({ ...scope, table: reads }, change, rules);
    },
    write: async (prepared) => {
      const outcome = await tryWrite(table, { workspaceId }, prepared);
      if (!(outcome instanceof Error)) stored = itemOf(prepared.plan?.writes['record']);
      if (!(outcome instanceof ConditionFailed)) return outcome;
      current = outcome.write === 'record' ? (outcome.item as Item | undefined) : undefined;
      return 'changed';
    },
    stored: () => stored,
  };
}

const itemOf = (write: Writes[string]): Item | undefined =>
  (write as TransactItem | undefined)?.Put?.Item as Item | undefined;

/** A change that was checked against the stored record. Without a plan it changes nothing. */
export type PreparedChange =
  | { readonly plan: Plan; readonly recordWrites: Writes; readonly additionalWrites: Writes }
  | { readonly plan: undefined; readonly applied: AppliedChange };

/** Reads the record, and decides and plans its change. @throws ChangeRefused, Unavailable, errors of `decide` */
async function prepare<Stored>(
  scope: WriteScope,
  { decide, verb, ...address }: DecidedChange,
  rules: StorageRules<Stored>,
): Promise<PreparedChange> {
  const { table, workspaceId, context } = scope;
  const leaseRead = context.mayMeetImport ? undefined : started(table.get(keys.importLease(workspaceId)));
  const stored = await rules.read(scope, address);
  const { record: before, etag } = stored;
  const removal = rules.removalOf?.(scope, { ...address, verb });
  await removal?.look(table);
  const record = await decide(stored, table);
  if (isHeldByImport(await leaseRead, address.kind)) throw new HeldByImport();
  if (record === null && !before) throw new ChangeRefused('missing');
  const plan = await rules.plan(scope, { ...address, record }, stored);
  if (plan) {
    const recordWrites = { ...plan.writes, ...removal?.writes(plan.applied) };
    const revisions = { before: stored.revision, after: plan.applied.after && plan.revision };
    const additionalWrites = (await context.additionalWrites?.(plan.applied, revisions)) ?? {};
    return { plan, recordWrites, additionalWrites };
  }
  return { plan, applied: { status: 'unchanged', before, after: before, etag } };
}

/** @returns the result; a conflict with another transaction; or the failed condition if the record must be read again */
async function tryWrite(
  table: Table,
  scope: WorkspaceScope,
  prepared: PreparedChange,
): Promise<AppliedChange | ConditionFailed | Contended> {
  const { plan } = prepared;
  if (!plan) return prepared.applied;
  try {
    for (const writes of plan.first ?? []) {
      await transactLogged(table, scope, writes, plan.logged);
    }
    await transactLogged(table, scope, { ...prepared.additionalWrites, ...prepared.recordWrites }, plan.logged);
  } catch (error) {
    if (error instanceof Contended) return error;
    if (error instanceof ConditionFailed && Object.hasOwn(prepared.recordWrites, error.write ?? '')) return error;
    const mayBeStored = error instanceof Unavailable && !error.isUndone && table.isPastDeadline;
    if (!mayBeStored || !(await hasEvent(table.withGracePeriod(), prepared.additionalWrites))) throw error;
    await logAgain(table.withGracePeriod(), scope, plan.logged);
  }
  table.clearCache();
  return plan.applied;
}

/** Whether a change whose reply came after the deadline is stored. Its event stays when the record changes again. */
async function hasEvent(table: Table, { audit, event }: Writes): Promise<boolean> {
  const item = itemOf([audit ?? event ?? []].flat()[0]);
  return item !== undefined && (await table.get(item).catch(() => undefined)) !== undefined;
}
