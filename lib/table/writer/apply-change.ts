import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { started } from '#lib/domain/started.ts';
import { AnnouncedChange } from '../collection/announced-change.ts';
import { headKey } from '../collection/head.ts';
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
import { conversationRules } from './conversation-rules.ts';
import { entryRules } from './entry-rules.ts';
import { keyRules } from './key-rules.ts';
import { memberRules } from './member-rules.ts';
import { modelRules } from './model-rules.ts';
import { menuRules, recordRules } from './record-rules.ts';
import { type RepeatedWrite, repeatWrite, tryTransaction } from './repeat-write.ts';
import { workspaceRules } from './workspace-rules.ts';

/**
 * Creates, replaces, moves or removes one record, with its names, pointers and log items. It takes three round trips at
 * any size of the collection: the reads, one transaction, settle.
 * @returns the result; the next reader sees it
 * @throws ChangeRefused, BeingRemoved, ConditionFailed of a write in `additionalWrites`, Unavailable (also while an
 * import of the workspace runs)
 */
export const applyChange = (
  table: Table,
  scope: WorkspaceScope,
  change: RecordChange | DecidedChange,
  context: WriteContext,
): Promise<AppliedChange> => repeatWrite(table, changeSteps(table, scope, change, context));

/** The steps of `applyChange`, for a write that repeats them with others. */
export function changeSteps(
  table: Table,
  { workspaceId }: WorkspaceScope,
  change: RecordChange | DecidedChange,
  context: WriteContext,
): RepeatedWrite<PreparedChange, AppliedChange> {
  const rules = rulesOf(change);
  const announced = new AnnouncedChange(
    table,
    rules.affectedCollections({ table, workspaceId, context }, recordAddress(change)),
  );
  const { isInBulk, isAboutRows } = context;
  started(readGuards(table, workspaceId, change, rules));
  const announcing = started(isInBulk && !isAboutRows ? announced.announce() : announced.open(isAboutRows));
  const scope = { workspaceId, context };
  return {
    prepare: (tries) =>
      prepare({ ...scope, table: tries === 1 ? table : table.uncached() }, change, rules, announced, announcing),
    write: (prepared) => tryWrite(table, prepared, announced, 'decide' in change),
    giveUp: () => announced.withdraw(),
  };
}

/** Makes the first reads of a change. Called beside the read of the API key, they share its round trip. */
export async function warmChange(
  table: Table,
  { workspaceId }: WorkspaceScope,
  change: Pick<RecordChange, 'kind' | 'id' | 'modelId'>,
  context: WriteContext,
): Promise<void> {
  const affectedCollections = rulesOf(change).affectedCollections(
    { table, workspaceId, context },
    { ...change, record: null },
  );
  await Promise.all([
    table.get(keys.importLease(workspaceId)),
    readGuards(table, workspaceId, change, rulesOf(change)),
    ...affectedCollections.map(({ scope }) => table.get(headKey(scope))),
  ]);
}

const readGuards = (
  table: Table,
  workspaceId: string,
  { id }: Pick<RecordChange, 'id'>,
  { guards }: Pick<StorageRules<unknown>, 'guards'>,
): Promise<unknown> => Promise.all((guards?.(workspaceId, id) ?? []).map((key) => table.get(key)));

/** Saves the reads of a record with a new random id. The condition of its transaction still checks that it is new. */
export function assumeNew(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { kind, id, modelId }: Pick<RecordChange, 'kind' | 'id' | 'modelId'>,
): void {
  if (kind === 'cmsEntry') table.primeAbsent(keys.cmsEntryPointer(workspaceId, modelId ?? '', id));
  else if (kind === 'cmsModel') table.primeAbsent(keys.cmsModel(workspaceId, id));
  else if (kind !== 'workspace') table.primeAbsent(keys.record(workspaceId, kind, id));
  if (kind === 'member') table.primeAbsent(keys.memberKeysOf(workspaceId, id));
}

/** Reads a record with its ETag, as a change reads it. It usually takes one round trip. */
export async function storedRecord(
  table: Table,
  { workspaceId }: WorkspaceScope,
  { kind, id, modelId }: Pick<RecordChange, 'kind' | 'id' | 'modelId'>,
): Promise<Pick<StoredRecord, 'record' | 'etag'>> {
  const change: RecordChange = { kind, id, ...(modelId !== undefined && { modelId }), record: null };
  return rulesOf(change).read({ table, workspaceId, context: { now: '' } }, change);
}

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

function rulesOf({ kind }: Pick<RecordChange, 'kind'>): StorageRules<unknown> {
  if (kind === 'cmsEntry') return entryRules as StorageRules<unknown>;
  if (kind === 'cmsModel') return modelRules as StorageRules<unknown>;
  if (kind === 'workspace') return workspaceRules as StorageRules<unknown>;
  if (kind === 'member') return memberRules as StorageRules<unknown>;
  if (kind === 'apiKey') return keyRules as StorageRules<unknown>;
  if (kind === 'menuProduct' || kind === 'menuCategory') return menuRules as StorageRules<unknown>;
  return (kind === 'conversation' ? conversationRules : recordRules) as StorageRules<unknown>;
}
