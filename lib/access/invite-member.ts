import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { HttpError } from '#lib/http/errors.ts';
import { publicUrl } from '#lib/http/public-url.ts';
import { InvitationRefused } from '#lib/invitations/invitation.ts';
import { invite, ownInviter } from '#lib/invitations/invite.ts';
import type { ManageRequest, WriteCall } from '#lib/manage/managed-record.ts';
import { recordNotFound } from '#lib/manage/refusals.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { forgetIdentity, isAddressMoved } from '#lib/table/access/forget-identity.ts';
import { countInvitation, invitationsMax } from '#lib/table/access/hourly-limits.ts';
import { findRecord } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { requireGrantable } from './granting.ts';

type InvitationCall = Omit<ManageRequest, 'rules'> & Pick<WriteCall, 'logDetails'>;

/** After the call of the issuer. */
export const storeMilliseconds = 2_600;

/**
 * Makes the issuer send a member an invitation, also repeatedly. The next person who signs in with the address becomes
 * the member. The sessions of the former person end (lib/spec/additions.md section 6). The invitation comes first: if
 * it fails, nothing changes.
 * @throws 403, 404, 409, 429, 503
 */
export async function inviteMember(call: InvitationCall, id: string) {
  const { table, principal, logDetails } = call;
  if (!isRecordId(id)) throw recordNotFound('member');
  Object.assign(logDetails, { recordKind: 'members', recordId: id });
  const [stored, workspace] = await Promise.all([
    findRecord<Member>(table, principal, 'member', id),
    findWorkspace(table, principal.workspaceId),
  ]);
  if (!stored || !workspace) throw recordNotFound('member');
  const { active, email, permissions } = stored;
  if (!active) throw conflict('The member is not active. Activate the member first.');
  const address = memberAddress(email);
  if (address === undefined) throw conflict('The member has no e-mail address. Set one first.');
  requireGrantable(principal, { after: permissions, isNewCredential: true });
  const seconds = await countInvitation(table, principal, address);
  if (seconds !== undefined) throw tooManyInvitations(seconds);
  const invitation = { address, workspaceName: workspace.name, publicUrl: publicUrl() ?? '' };
  await invite(invitation, ownInviter()).catch((error: unknown) => {
    throw error instanceof InvitationRefused ? conflict(error.message) : error;
  });
  // The deadline of `table` can pass before the issuer answers.
  const later = call.tableFor(storeMilliseconds);
  const { actor } = principal;
  const event = { actor, action: 'invite', recordKind: 'members', recordId: id, changed: [] } as const;
  const audit = auditWrite(principal, { ...event, requestId: call.requestId });
  await forgetIdentity(later, principal, { id, address }, audit).catch((error: unknown) => {
    throw isAddressMoved(error) ? conflict(addressMoved) : error;
  });
  table.clearCache();
  return { empty: true as const };
}

const tooManyInvitations = (seconds: number): HttpError =>
  new HttpError(
    429,
    'rate_limited',
    `A workspace invites an address at most ${invitationsMax.address} times a day, and ${invitationsMax.workspace} times in all; try again after Retry-After seconds.`,
    { headers: { 'retry-after': String(seconds) } },
  );

const conflict = (message: string): HttpError => new HttpError(409, 'conflict', message);

const addressMoved =
  'The e-mail address does not lead to the member: it was changed meanwhile, or another member has it. Set it again.';
