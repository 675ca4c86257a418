import { createHash } from 'node:crypto';
import { memberAddress } from '#lib/domain/access/member.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import { ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { listWorkspaces } from '#lib/table/list-workspaces.ts';
import type { Table } from '#lib/table/table.ts';

/** A person of the local sign-in: one e-mail address of members of stored workspaces. */
export interface LocalPerson {
  readonly address: string;
  readonly names: readonly string[];
  /** Display names, e.g. `Saffron House (inactive)`. */
  readonly workspaces: readonly string[];
  readonly isActive: boolean;
  /** True with every permission in one of the workspaces. */
  readonly isManager: boolean;
}

interface FoundPerson extends LocalPerson {
  readonly names: string[];
  readonly workspaces: string[];
  isActive: boolean;
  isManager: boolean;
}

const shownMax = 5;

/** The subject of an address. It is the same after a restart, because members are bound to it. */
export const subjectOf = (address: string): string => createHash('sha256').update(address).digest('base64url');

const newPerson = () => ({ names: [], workspaces: [], isActive: false, isManager: false });

/** Lists people by address, with inactive members, so that their refusal can be tried. */
export async function localPeople(table: Table): Promise<LocalPerson[]> {
  const people = new Map<string, FoundPerson>();
  for (const workspace of await listWorkspaces(table)) {
    const members = await new ApiKeyRecords(table, { workspaceId: workspace.id }).members();
    for (const { name, email, active, permissions } of members) {
      const address = memberAddress(email);
      if (address === undefined) continue;
      const person = people.get(address) ?? { ...newPerson(), address };
      people.set(address, person);
      if (!person.names.includes(name)) person.names.push(name);
      person.isActive ||= active;
      person.isManager ||= active && Permission.options.every((permission) => permissions.includes(permission));
      person.workspaces.push(active ? workspace.name : `${workspace.name} (inactive)`);
    }
  }
  return [...people.values()].toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

/** The lines about sign-in for the terminal. Members with all permissions come first. */
export function describeSignIn(people: readonly LocalPerson[]): string[] {
  const active = people
    .filter(({ isActive }) => isActive)
    .toSorted((a, b) => Number(b.isManager) - Number(a.isManager))
    .map(({ address, isManager }) => (isManager ? `${address} (may do everything)` : address));
  if (active.length === 0) return ['No member can sign in: no active member has an e-mail address.'];
  const more = active.length > shownMax ? ` and ${active.length - shownMax} more` : '';
  return [`Sign in there, without a password, as ${active.slice(0, shownMax).join(', ')}${more}.`];
}
