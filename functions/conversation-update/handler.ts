import { conversationAnswer, tagOf } from '#lib/conversations/conversation-answer.ts';
import { conversationNotFound, idNotFound, languageUnknown } from '#lib/conversations/refusals.ts';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { isInEffect } from '#lib/domain/access/membership.ts';
import type { Issue } from '#lib/domain/input.ts';
import type { Agent } from '#lib/domain/messaging/agent.ts';
import type { Assignee } from '#lib/domain/messaging/conversation.ts';
import { languageIn } from '#lib/domain/text/language-tag.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { requireMatch } from '#lib/http/preconditions.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { ConversationChanges } from '#lib/table/messaging/conversation-changes.ts';
import { findRecord, type Table, type WorkspaceScope } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { type ConversationChange, endpoint } from './endpoint.ts';

/** Changes status, language and assignee, with an audit event (lib/spec/additions.md section 3, "PATCH"). */
export const handler = api(endpoint, {
  handle: async ({ table, principal, params: { id }, body, headers, requestId, logDetails }) => {
    const checked = await checkChange(table, principal, body);
    const changes = Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
    const conversation = await new ConversationChanges(table, principal).change(
      id,
      (stored) => {
        requireMatch(headers['If-Match'], tagOf(stored), 'conversation');
        return { ...stored, ...changes };
      },
      ({ before = {}, after = {} }) =>
        auditWrite(principal, {
          actor: principal.actor,
          action: 'update',
          recordKind: 'conversations',
          recordId: id,
          changed: changedPaths(before, after),
          requestId,
        }),
    );
    if (!conversation) throw conversationNotFound();
    Object.assign(logDetails, { conversationId: conversation.id });
    return conversationAnswer(conversation);
  },
  beginsEarly: true,
});

/** @returns the change with its language in the workspace's spelling @throws 400 */
async function checkChange(
  table: Table,
  scope: WorkspaceScope,
  change: ConversationChange,
): Promise<ConversationChange> {
  const { language, assignee } = change;
  const [workspace, isAssignable] = await Promise.all([
    language ? findWorkspace(table, scope.workspaceId) : undefined,
    assignee ? canBeAssigned(table, scope, assignee) : true,
  ]);
  const issues: Issue[] = [];
  const languages = workspace?.languages ?? [];
  const spelled = language ? languageIn(languages, language) : language;
  if (language && spelled === undefined) issues.push(languageUnknown(languages));
  if (!isAssignable) issues.push(idNotFound('assignee.id', 'an enabled agent or an active member'));
  if (issues.length > 0) throw badRequest(issues.map(validationFailed));
  return { ...change, language: spelled };
}

async function canBeAssigned(table: Table, scope: WorkspaceScope, { type, id }: Assignee): Promise<boolean> {
  if (type === 'agent') return (await findRecord<Agent>(table, scope, 'agent', id))?.enabled ?? false;
  const member = await findRecord<Member>(table, scope, 'member', id);
  return member !== undefined && isInEffect(member);
}
