import { readFile, writeFile } from 'node:fs/promises';
import { Permission } from '#lib/domain/access/permission.ts';

/** The e-mail addresses that can sign in. */
export const people = {
  manager: 'manager@console.example',
  kitchen: 'kitchen@console.example',
  /** A member of two workspaces. */
  both: 'both@console.example',
} as const;

export const managerKey = 'console-manager-key-000000000';

const menuPermissions: readonly Permission[] = ['menu:category:manage', 'menu:product:manage'];

const member = (id: string, name: string, email: string, permissions: readonly string[]) => ({
  id,
  name,
  email,
  permissions,
  active: true,
});

/** Writes the demo with members who may do everything, and one who may only set sold-out products. */
export async function writeWorkspace(file: string): Promise<void> {
  const demo = JSON.parse(await readFile('lib/local/demo-workspace.json', 'utf8'));
  const everything = Permission.options;
  const document = {
    ...demo,
    workspace: { ...demo.workspace, id: 'ws_console' },
    members: [
      ...demo.members,
      member('mem_manager', 'Mona Manager', people.manager, everything),
      member('mem_kitchen', 'Karim Kitchen', people.kitchen, ['menu:product:availability']),
      member('mem_both', 'Basma Both', people.both, menuPermissions),
    ],
    apiKeys: [
      { id: 'key_manager', name: 'Tests', secret: managerKey, memberId: 'mem_manager', permissions: everything },
    ],
  };
  await writeFile(file, JSON.stringify(document));
}

/** Writes a workspace that contains only one member, who is also in the demo. */
export async function writeOtherWorkspace(file: string): Promise<void> {
  const { version, workspace } = JSON.parse(await readFile('lib/local/demo-workspace.json', 'utf8'));
  const document = {
    version,
    workspace: { ...workspace, id: 'ws_other', name: 'The other one' },
    members: [member('mem_there', 'Basma Both', people.both, menuPermissions)],
  };
  await writeFile(file, JSON.stringify(document));
}
