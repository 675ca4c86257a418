import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from '../keys.ts';
import type { Table } from '../table.ts';
import type { AppliedChange, DecidedChange, RecordChange, StorageRules, StoredRecord, WriteContext } from './change.ts';
import { type PreparedChange, readGuards, stepsBy } from './change-steps.ts';
import { conversationRules } from './conversation-rules.ts';
import { entryRules } from './entry-rules.ts';
import { keyRules } from './key-rules.ts';
import { memberRules } from './member-rules.ts';
import { modelRules } from './model-rules.ts';
import { menuRules, recordRules } from './record-rules.ts';
import { type RepeatedWrite, repeatWrite } from './repeat-write.ts';
import { workspaceRules } from './workspace-rules.ts';

/**
 * Creates, replaces or removes one record, with its names, pointers and log item. It takes two round trips at any size
 * of the collection: the reads, and one transaction.
 * @returns the result; the next reader sees it
 * @throws ChangeRefused, ConditionFailed of a write in `additionalWrites`, Unavailable (also while an import of the
 * workspace runs)
 */
export const applyChange = (
  table: Table,
  scope: WorkspaceScope,
  change: RecordChange | DecidedChange,
  context: WriteContext,
): Promise<AppliedChange> => repeatWrite(table, changeSteps(table, scope, change, context));

/** The steps of `applyChange`, for a write that repeats them with others. */
export const changeSteps = (
  table: Table,
  scope: WorkspaceScope,
  change: RecordChange | DecidedChange,
  context: WriteContext,
): RepeatedWrite<PreparedChange, AppliedChange> => stepsBy(rulesOf(change), table, scope, change, context);

/** Makes the first reads of a change, for an operation that cannot begin it yet. */
export async function readChange(
  table: Table,
  scope: WorkspaceScope,
  change: Pick<RecordChange, 'kind' | 'id' | 'modelId'>,
): Promise<void> {
  await Promise.all([
    table.get(keys.importLease(scope.workspaceId)),
    readGuards(rulesOf(change), table, scope.workspaceId, change.id),
    storedRecord(table, scope, change),
  ]);
}

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

function rulesOf({ kind }: Pick<RecordChange, 'kind'>): StorageRules<unknown> {
  if (kind === 'cmsEntry') return entryRules as StorageRules<unknown>;
  if (kind === 'cmsModel') return modelRules as StorageRules<unknown>;
  if (kind === 'workspace') return workspaceRules as StorageRules<unknown>;
  if (kind === 'member') return memberRules as StorageRules<unknown>;
  if (kind === 'apiKey') return keyRules as StorageRules<unknown>;
  if (kind === 'menuProduct' || kind === 'menuCategory') return menuRules as StorageRules<unknown>;
  return (kind === 'conversation' ? conversationRules : recordRules) as StorageRules<unknown>;
}
