import { randomUUID } from 'node:crypto';
import { type AuditAction, operator } from '#lib/domain/access/audit-event.ts';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';
import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import { Failure } from '#lib/domain/failure.ts';
import { InvitationRefused } from '#lib/invitations/invitation.ts';
import { invite } from '#lib/invitations/invite.ts';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { forgetIdentity, isAddressMoved } from '#lib/table/access/forget-identity.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import { applyChange, ChangeRefused } from '#lib/table/writer/apply-change.ts';
import { memberRules } from '#lib/table/writer/member-rules.ts';
import { type Connection, requireWorkspace } from './connection.ts';
import type { Terminal } from './terminal.ts';

export interface NewMember {
  /** The address as `memberAddress` spells it. */
  readonly address: string;
  readonly permissions: readonly Permission[];
}

/**
 * Makes a member with an address, or adds permissions to the existing one. Then it sends the invitation, also to an
 * invited member (lib/spec/additions.md section 6, invitations).
 * @throws Failure
 */
export async function runMemberInvite(
  { workspaceId, member: { address, permissions } }: { readonly workspaceId: string; readonly member: NewMember },
  { table, baseUrl, inviter }: Pick<Connection, 'table' | 'baseUrl' | 'inviter'>,
  terminal: Terminal,
): Promise<void> {
  const workspace = await requireWorkspace(table, workspaceId);
  const id = await storeMember(table, workspaceId, { address, permissions });
  if (inviter) {
    const invitation = { address, workspaceName: workspace.name, publicUrl: baseUrl };
    await invite(invitation, inviter).catch((error: Error) => {
      const reason = error instanceof InvitationRefused ? error.message : `${error.message} Try again later.`;
      throw new Failure(`Member ${id} is stored, but not invited: ${reason}`);
    });
  }
  const event = audit(workspaceId, id, 'invite');
  await forgetIdentity(table, { workspaceId }, { id, address }, event).catch((error: unknown) => {
    throw isAddressMoved(error) ? conflict(address) : error;
  });
  const where = baseUrl === '' ? '/console of the service, once it runs' : `${baseUrl}/console`;
  terminal.print(
    inviter ? `Member ${id} is invited to ${where}.` : `Member ${id} may sign in at ${where}. Nothing was mailed.`,
  );
}

/** @returns the id of the member */
async function storeMember(table: Table, workspaceId: string, { address, permissions }: NewMember): Promise<string> {
  const members = await new ApiKeyRecords(table, { workspaceId }).members();
  const existing = members.find(({ email }) => memberAddress(email) === address);
  const id = existing?.id ?? `mem_${randomUUID().replaceAll('-', '')}`;
  const decide = (record: Member | undefined): Member => {
    if (existing && memberAddress(record?.email) !== address) throw conflict(address);
    if (record && !record.active) throw new Failure(`Member ${id} is not active. Activate the member first.`);
    // The operator's word is enough: the person needs not accept.
    const { acceptedAt, ...member } = record ?? { id, name: address, email: address, active: true, permissions: [] };
    const before: Member = acceptedAt ? { ...member, acceptedAt } : member;
    return { ...before, permissions: [...new Set([...before.permissions, ...permissions])] };
  };
  await applyChange(
    memberRules,
    table,
    { workspaceId },
    { kind: 'member', id, decide: async ({ record }) => decide(record as Member | undefined) },
    {
      now: new Date().toISOString(),
      additionalWrites: ({ before, after }) =>
        audit(workspaceId, id, before ? 'update' : 'create', before && after ? changedPaths(before, after) : []),
    },
  ).catch((error: unknown) => {
    throw error instanceof ChangeRefused ? conflict(address) : error;
  });
  return id;
}

const conflict = (address: string) =>
  new Failure(`The member with the address ${address} was changed at the same time. Run the command again.`);

const audit = (workspaceId: string, recordId: string, action: AuditAction, changed: string[] = []): Writes =>
  auditWrite({ workspaceId }, { actor: operator, action, recordKind: 'members', recordId, changed, requestId: null });
