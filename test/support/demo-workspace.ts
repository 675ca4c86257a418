import { readFile } from 'node:fs/promises';
import { Permission } from '#lib/domain/access/permission.ts';
import { openOwnTable } from './own-table.ts';
import { type Document, storeWorkspace } from './world.ts';

/**
 * Secrets of the demo's keys and three others: one without permissions, and two with all of them. `all` belongs to a
 * member.
 */
export const demoKeys = {
  site: 'saffron-site-key-0000000000',
  editor: 'saffron-editor-key-00000000',
  desk: 'saffron-desk-key-0000000000',
  none: 'saffron-powerless-key-00000',
  admin: 'saffron-admin-key-000000000',
  all: 'saffron-all-key-00000000000',
} as const;

/** Answers that the demo's form `contact` accepts. */
export const contactAnswers = {
  name: 'Huda',
  email: 'huda@example.com',
  subject: 'visit',
  message: 'Is there a table for two tonight?',
  consent: true,
} as const;

/** Loads the demo workspace into a table of this test file. @param change may first alter the document */
export async function openDemo(change?: (document: Document) => void): Promise<Document> {
  await openOwnTable();
  const document = JSON.parse(await readFile(new URL('../../lib/local/demo-workspace.json', import.meta.url), 'utf8'));
  document.apiKeys.push(
    { id: 'key_none', name: 'None', secret: demoKeys.none, permissions: [] },
    { id: 'key_admin', name: 'Administration', secret: demoKeys.admin, permissions: Permission.options },
    { id: 'key_all', name: 'All', secret: demoKeys.all, permissions: Permission.options, memberId: 'mem_lina' },
  );
  change?.(document);
  await storeWorkspace(document);
  return document;
}
