import { keyRules, memberRules } from '#lib/access/access-rules.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { allRules } from '#lib/manage/all-rules.ts';
import { plainRules } from '#lib/manage/plain-rules.ts';
import type { Table } from '#lib/table/table.ts';
import { applyChange as applyBy } from '#lib/table/writer/apply-change.ts';
import type {
  AppliedChange,
  DecidedChange,
  RecordChange,
  StorageRules,
  WriteContext,
} from '#lib/table/writer/change.ts';
import { conversationRules } from '#lib/table/writer/conversation-rules.ts';
import { webhookRules } from '#lib/webhooks/webhook-rules.ts';

/** Like that of `lib/table/writer`, by the rules of the changed kind. A change may also name its record. */
export function applyChange(
  table: Table,
  scope: WorkspaceScope,
  given: RecordChange | DecidedChange,
  context: WriteContext,
): Promise<AppliedChange> {
  const { kind } = given;
  const change = 'decide' in given ? given : { ...given, decide: async () => given.record };
  if (kind === 'conversation') return applyBy(conversationRules, table, scope, change, context);
  const rules = { ...plainRules, ...allRules, apiKey: keyRules, member: memberRules, webhook: webhookRules };
  return applyBy(rules[kind]?.storage as StorageRules<unknown>, table, scope, change, context);
}
