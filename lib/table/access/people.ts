import { createHash } from 'node:crypto';
import { type Member, memberAddress } from '#lib/domain/access/member.ts';
import { isPending } from '#lib/domain/access/membership.ts';
import type { Person } from '#lib/domain/access/session.ts';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { keys } from '../keys.ts';
import { type Item, recordOf, type Table } from '../table.ts';
import { signInStateOf } from './find-session.ts';

/** A workspace in which a person is an active member, or may become one. */
export interface Membership {
  readonly workspace: Workspace;
  readonly member: Member;
  readonly item: Item;
  /** The time of the last sign-in, in milliseconds since 1970; 0 before the first one. */
  readonly signedInAt: number;
  /** The address of the member who made the membership; undefined if a key without a member did. */
  readonly invitedBy: string | undefined;
}

export interface Memberships {
  /** The memberships by name, then by id of the workspace. */
  readonly memberships: readonly Membership[];
  /** Those that the person has not accepted, in the same order. */
  readonly pending: readonly Membership[];
  /** Whether a member with this address has another pinned identity. */
  readonly isBoundToAnotherIdentity: boolean;
}

/** A hash of issuer and subject, which reveals nothing about the person. */
export const identityOf = (issuer: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');

/** Access pattern S2: the workspaces of a person, without members that are pinned to another identity. */
export async function membershipsOf(table: Table, { address, identity }: Person): Promise<Memberships> {
  const pointers = await table.range({ pk: keys.memberships(address) });
  const found = await Promise.all(pointers.map((pointer) => membershipAt(table, address, pointer)));
  const active = found.filter((membership) => membership !== undefined);
  const isOwn = ({ item }: Membership) => (signInStateOf(item).identity ?? identity) === identity;
  const own = active.filter(isOwn).toSorted(byNameAndId);
  return {
    memberships: own.filter(({ member }) => !isPending(member)),
    pending: own.filter(({ member }) => isPending(member)),
    isBoundToAnotherIdentity: own.length < active.length,
  };
}

async function membershipAt(table: Table, address: string, pointer: Item): Promise<Membership | undefined> {
  const { sk: workspaceId, id, signedInAt } = pointer;
  const [workspaceItem, item] = await Promise.all([
    table.get(keys.workspace(workspaceId)),
    table.get(keys.record(workspaceId, 'member', String(id))),
  ]);
  if (!workspaceItem || !item) return undefined;
  const member = recordOf<Member>(item);
  if (!member.active || memberAddress(member.email) !== address) return undefined;
  return {
    workspace: recordOf<Workspace>(workspaceItem),
    member,
    item,
    signedInAt: Number(signedInAt ?? 0),
    invitedBy: signInStateOf(item).invitedBy,
  };
}

const byNameAndId = ({ workspace: a }: Membership, { workspace: b }: Membership): number =>
  compareCodePoints(a.name, b.name) || compareCodePoints(a.id, b.id);
