import { readFile, writeFile } from 'node:fs/promises';
import { Permission } from '#lib/domain/access/permission.ts';

/** Who can sign in, by e-mail address. */
export const people = {
  manager: 'manager@console.example',
  kitchen: 'kitchen@console.example',
} as const;

export const managerKey = 'console-manager-key-000000000';

/** Writes the demo with people who may do everything, or only say what is sold out. */
export async function writeWorkspace(file: string): Promise<void> {
  const demo = JSON.parse(await readFile('lib/local/demo-workspace.json', 'utf8'));
  const everything = Permission.options;
  const member = (id: string, name: string, email: string, permissions: readonly string[]) => ({
    ...{ id, name, email, permissions, active: true },
  });
  const document = {
    ...demo,
    workspace: { ...demo.workspace, id: 'ws_console' },
    members: [
      ...demo.members,
      member('mem_manager', 'Mona Manager', people.manager, everything),
      member('mem_kitchen', 'Karim Kitchen', people.kitchen, ['menu:product:availability']),
    ],
    apiKeys: [
      { id: 'key_manager', name: 'Tests', secret: managerKey, memberId: 'mem_manager', permissions: everything },
    ],
  };
  await writeFile(file, JSON.stringify(document));
}
