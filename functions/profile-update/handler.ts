import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import type { Member } from '#lib/domain/access/member.ts';
import { recordSizeIssues } from '#lib/domain/record-size.ts';
import { api } from '#lib/http/api.ts';
import { invalidSession } from '#lib/http/callers.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { profileOf, sessionOf } from '#lib/session/profile.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import type { AppliedChange } from '#lib/table/writer/change.ts';
import { memberRules } from '#lib/table/writer/member-rules.ts';
import { endpoint } from './endpoint.ts';

/** Changes the signed-in member. Absent properties stay. A member that was removed in the meantime is 401. */
export const handler = api(endpoint, {
  handle: async ({ table, principal, body: { name, language }, requestId }) => {
    const session = sessionOf(principal);
    const { id } = session.member;
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
    await applyChange(memberRules, table, principal, { kind: 'member', id, decide }, context);
    return { body: await profileOf(table, session, session) };
  },
});
