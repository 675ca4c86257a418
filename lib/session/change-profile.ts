import { changedPaths } from '#lib/domain/access/audit-event.ts';
import type { Member } from '#lib/domain/access/member.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { Session } from '#lib/domain/access/session.ts';
import { recordSizeIssues } from '#lib/domain/stored-size.ts';
import { invalidSession } from '#lib/http/callers.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import type { Table } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { changeBy } from '#lib/table/writer/change-steps.ts';
import { memberRules } from '#lib/table/writer/member-rules.ts';

interface MemberCall {
  readonly principal: Principal;
  readonly table: Table;
  readonly requestId: string;
}

interface ProfileUpdate {
  readonly name?: string | undefined;
  readonly language?: Member['language'];
}

/**
 * Changes the signed-in member. Absent properties stay.
 * @throws 400 for a name that is too long; 401 if the member was removed in the meantime
 */
export async function changeProfile(
  { principal, table, requestId }: MemberCall,
  { member: { id } }: Session,
  { name, language }: ProfileUpdate,
): Promise<void> {
  const decide = async ({ record }: { readonly record: object | undefined }): Promise<Member> => {
    if (!record) throw invalidSession();
    const member = {
      ...(record as Member),
      ...(name !== undefined && { name }),
      ...(language !== undefined && { language }),
    };
    const issues = recordSizeIssues(Buffer.byteLength(JSON.stringify(member)));
    if (issues.length > 0) throw badRequest(issues.map(validationFailed));
    return member;
  };
  const audit = ({ before, after }: AppliedChange) =>
    auditWrite(principal, {
      actor: principal.actor,
      action: 'update',
      recordKind: 'members',
      recordId: id,
      changed: before && after ? changedPaths(before, after) : [],
      requestId,
    });
  const context = { now: new Date().toISOString(), additionalWrites: audit };
  await changeBy(memberRules, table, principal, { kind: 'member', id, decide }, context);
}
