import { readFile } from 'node:fs/promises';
import { Permission } from '#lib/domain/permission.ts';
import { openOwnTable } from './own-table.ts';
import { type Document, load } from './world.ts';

/** Secrets of the demo's keys, of one that may do nothing, and of one that may do everything. */
export const demoKeys = {
  site: 'saffron-site-key-0000000000',
  editor: 'saffron-editor-key-00000000',
  desk: 'saffron-desk-key-0000000000',
  none: 'saffron-powerless-key-00000',
  all: 'saffron-all-key-00000000000',
} as const;

/** Answers that the demo's form `contact` takes. */
export const contactAnswers = {
  name: 'Huda',
  email: 'huda@example.com',
  subject: 'visit',
  message: 'Is there a table for two tonight?',
  consent: true,
} as const;

/** Loads the demo workspace into a table of this test file's own. */
export async function openDemo(): Promise<Document> {
  await openOwnTable();
  const document = JSON.parse(await readFile(new URL('../../lib/local/demo-workspace.json', import.meta.url), 'utf8'));
  document.apiKeys.push(
    { id: 'key_none', name: 'None', secret: demoKeys.none, permissions: [] },
    { id: 'key_all', name: 'All', secret: demoKeys.all, permissions: Permission.options, memberId: 'mem_lina' },
  );
  await load(document);
  return document;
}
