import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import type { Principal } from '#lib/domain/access/principal.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { membershipsOf } from '#lib/table/access/people.ts';
import type { Table } from '#lib/table/table.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { changeBy } from '#lib/table/writer/change-steps.ts';
import { memberRules } from '#lib/table/writer/member-rules.ts';
import { personSessionOf } from './profile.ts';

interface PersonCall {
  readonly principal: Principal;
  readonly table: Table;
  readonly requestId: string;
}

/**
 * Accepts a membership, or declines and removes it. The audit event is one of the workspace.
 * @throws 404 for any other workspace, whether or not it exists; 409 for a decline after the acceptance
 */
export async function answerMembership(
  { principal, table, requestId }: PersonCall,
  { workspaceId, accept }: { readonly workspaceId: string; readonly accept: boolean },
): Promise<void> {
  const { person } = personSessionOf(principal);
  const { memberships, pending } = await membershipsOf(table, person);
  const found = [...memberships, ...pending].find(({ workspace }) => workspace.id === workspaceId);
  if (!found) throw notFound('Workspace');
  const scope = { workspaceId: found.workspace.id };
  const { id } = found.member;
  const audit = ({ before, after }: AppliedChange) =>
    auditWrite(scope, {
      actor: { type: 'member', id, name: ((before ?? after) as Member).name },
      action: after ? 'update' : 'delete',
      recordKind: 'members',
      recordId: id,
      changed: after ? ['acceptedAt'] : [],
      requestId,
    });
  const decide = async ({ record }: { readonly record: object | undefined }): Promise<Member | null> => {
    const member = record as Member | undefined;
    if (!member?.active || memberAddress(member.email) !== person.address) throw notFound('Workspace');
    if (member.acceptedAt === null) return accept ? { ...member, acceptedAt: new Date().toISOString() } : null;
    if (!accept) throw new HttpError(409, 'conflict', 'You have accepted this membership. A manager can remove you.');
    return member;
  };
  const context = { now: new Date().toISOString(), additionalWrites: audit };
  await changeBy(memberRules, table, scope, { kind: 'member', id, decide }, context);
}
