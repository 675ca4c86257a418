import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { api } from '#lib/http/api.ts';
import { HttpError, notFound } from '#lib/http/errors.ts';
import { personSessionOf } from '#lib/session/profile.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { membershipsOf } from '#lib/table/access/people.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { memberRules } from '#lib/table/writer/member-rules.ts';
import { endpoint } from './endpoint.ts';

/**
 * Accepts a membership, or declines and removes it. The audit event is one of the workspace. Any other workspace is 404,
 * whether or not it exists.
 */
export const handler = api(endpoint, {
  handle: async ({ principal, table, params, body: { accept }, requestId }) => {
    const { person } = personSessionOf(principal);
    const { memberships, pending } = await membershipsOf(table, person);
    const found = [...memberships, ...pending].find(({ workspace }) => workspace.id === params.workspaceId);
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
      if (accept) return member;
      throw new HttpError(409, 'conflict', 'You have accepted this membership. A manager can remove you.');
    };
    const context = { now: new Date().toISOString(), additionalWrites: audit };
    await applyChange(memberRules, table, scope, { kind: 'member', id, decide }, context);
    return { empty: true };
  },
});
