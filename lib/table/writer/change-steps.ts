import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { started } from '#lib/domain/started.ts';
import { AnnouncedChange } from '../collection/announced-change.ts';
import { BeingRemoved, ConditionFailed, Contended, Unavailable } from '../errors.ts';
import { isHeldByImport } from '../import/import-lease.ts';
import { keys } from '../keys.ts';
import type { Table, Writes } from '../table.ts';
import {
  type AppliedChange,
  ChangeRefused,
  type DecidedChange,
  type Plan,
  type RecordChange,
  type StorageRules,
  type StoredRecord,
  type WriteContext,
  type WriteScope,
} from './change.ts';
import { type RepeatedWrite, repeatWrite, tryTransaction } from './repeat-write.ts';

/** Like `applyChange`, for a function that writes records of one kind and therefore needs only its rules. */
export const changeBy = <Item>(
  rules: StorageRules<Item>,
  table: Table,
  scope: WorkspaceScope,
  change: RecordChange | DecidedChange,
  context: WriteContext,
): Promise<AppliedChange> => repeatWrite(table, stepsBy(rules, table, scope, change, context));

/** The steps of a change by the rules of its kind. */
export function stepsBy<Item>(
  rules: StorageRules<Item>,
  table: Table,
  { workspaceId }: WorkspaceScope,
  change: RecordChange | DecidedChange,
  context: WriteContext,
): RepeatedWrite<PreparedChange, AppliedChange> {
  const announced = new AnnouncedChange(
    table,
    rules.affectedCollections({ table, workspaceId, context }, recordAddress(change)),
  );
  const { isInBulk, isAboutRows } = context;
  started(readGuards(rules, table, workspaceId, change.id));
  const announcing = started(isInBulk && !isAboutRows ? announced.announce() : announced.open(isAboutRows));
  const scope = { workspaceId, context };
  return {
    prepare: (tries) =>
      prepare({ ...scope, table: tries === 1 ? table : table.uncached() }, change, rules, announced, announcing),
    write: (prepared) => tryWrite(table, prepared, announced, 'decide' in change),
    giveUp: () => announced.withdraw(),
  };
}

export const readGuards = (
  { guards }: Pick<StorageRules<unknown>, 'guards'>,
  table: Table,
  workspaceId: string,
  id: string,
): Promise<unknown> => Promise.all((guards?.(workspaceId, id) ?? []).map((key) => table.get(key)));

/** A change that was checked against the stored record. Without a plan it changes nothing. */
export type PreparedChange =
  | { readonly plan: Plan; readonly recordWrites: Writes; readonly additionalWrites: Writes }
  | { readonly plan: undefined; readonly applied: AppliedChange };

/** Reads the record and plans its change. @throws ChangeRefused, BeingRemoved, Unavailable */
async function prepare<Item>(
  scope: WriteScope,
  input: RecordChange | DecidedChange,
  rules: StorageRules<Item>,
  announced: AnnouncedChange,
  announcing: Promise<void>,
): Promise<PreparedChange> {
  const { table, workspaceId, context } = scope;
  const change = 'decide' in input ? await decided(scope, input, rules) : input;
  const [stored, lease] = await Promise.all([
    rules.read(scope, change),
    table.get(keys.importLease(workspaceId)),
    announcing,
  ]);
  if (!context.mayMeetImport && isHeldByImport(lease, change.kind))
    throw new Unavailable('An import of the workspace is running.');
  if (change.record && announced.isBeingRemoved) throw new BeingRemoved('The database is being removed.');
  refuseUnless(change, stored);
  const plan = await rules.plan(scope, change, stored);
  if (plan) {
    const recordWrites = { ...plan.writes, ...context.preconditions?.(plan.applied) };
    return { plan, recordWrites, additionalWrites: context.additionalWrites?.(plan.applied) ?? {} };
  }
  const { record, etag } = stored;
  return { plan, applied: { status: 'unchanged', before: record, after: record, etag } };
}

/** @returns the result; a conflict with another transaction; or `changed` if the record must be read again */
async function tryWrite(
  table: Table,
  prepared: PreparedChange,
  announced: AnnouncedChange,
  canDecideAgain: boolean,
): Promise<AppliedChange | 'changed' | Contended> {
  const { plan } = prepared;
  if (!plan) {
    await announced.withdraw();
    return prepared.applied;
  }
  try {
    for (const writes of plan.first ?? []) {
      const conflict = await tryTransaction(table, writes);
      if (conflict) return conflict;
    }
    const log = announced.logItems(plan.logged);
    const outcome = await announced.commit({ ...prepared.additionalWrites, ...prepared.recordWrites, log });
    if (outcome instanceof Contended) return outcome;
    if (outcome === 'announced') {
      await plan.withdraw?.();
      return 'changed';
    }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const isOwn = Object.hasOwn(prepared.recordWrites, error.write ?? '');
    // The client repeats a transaction whose reply was lost. The retry then finds the record of the first try.
    if (!isOwn || error.item?.['revision'] !== plan.revision) {
      await plan.withdraw?.();
      // A parent of the record was removed since it was read. Only a caller with `decide` can handle that.
      if (error.write === 'parents' && !canDecideAgain) throw new ChangeRefused('orphaned');
      if (isOwn) return 'changed';
      throw error;
    }
  }
  table.clearCache();
  await announced.settle();
  return plan.applied;
}

const recordAddress = (change: RecordChange | DecidedChange): RecordChange =>
  'decide' in change ? { ...change, record: null } : change;

async function decided<Item>(
  scope: WriteScope,
  input: DecidedChange,
  rules: StorageRules<Item>,
): Promise<RecordChange> {
  const { record, etag } = await rules.read(scope, recordAddress(input));
  return { ...input, record: await input.decide({ record, etag }, scope.table) };
}

function refuseUnless({ condition, record }: RecordChange, { record: stored, etag }: StoredRecord): void {
  if (condition && 'etag' in condition && condition.etag !== etag) throw new ChangeRefused('changed');
  if (condition && 'is' in condition && condition.is === 'new' && stored) throw new ChangeRefused('exists');
  const hasToBeStored = record === null || (condition && 'is' in condition && condition.is === 'stored');
  if (hasToBeStored && !stored) throw new ChangeRefused('missing');
}
