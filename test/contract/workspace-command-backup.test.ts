import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Engines, runCommandLine } from '#test/support/command-line.ts';
import { exported } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId } from '#test/support/every-kind.ts';
import { type Document, storeWorkspace } from '#test/support/world.ts';

let service: Engines;
let folder: string;
beforeAll(async () => {
  service = await Engines.open();
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

let files = 0;
const fileName = (end = 'json') => join(folder, `${++files}.${end}`);
async function importing(document: Document, ...options: string[]) {
  const file = fileName();
  await writeFile(file, JSON.stringify(document));
  return runCommandLine(['import', file, ...options, '--yes', '--url', service.url]);
}
const importingFile = (file: string) => runCommandLine(['import', file, '--yes', '--url', service.url]);

async function open(): Promise<{ id: string; stored: Document }> {
  const id = newWorkspaceId();
  await storeWorkspace(everyKind(id));
  return { id, stored: await exported(id) };
}

/** An export without what each import renews. */
const comparable = (document: Document): unknown =>
  JSON.parse(
    JSON.stringify(document, (name, value) => (['exportedAt', 'updatedAt'].includes(name) ? undefined : value)),
  );

/** The same workspace with another name for everything that has one, and without the last record of each list. */
function changed({ exportedAt: _, ...stored }: Document): Document {
  const text = JSON.stringify(stored, (name, value) => {
    if (name === 'updatedAt') return undefined;
    if (Array.isArray(value) && value.length > 1 && value.every((each) => each?.id)) return value.slice(0, -1);
    return name === 'name' && typeof value === 'string' ? `${value} 2` : value;
  });
  const document = JSON.parse(text);
  // Records that others need stay, so that the document has no failure.
  for (const list of ['categories', 'products']) document.menu[list] = stored.menu[list];
  return { ...document, cms: stored.cms, forms: stored.forms, formResponses: stored.formResponses };
}

it.each(['json', 'ndjson'])('a backup as .%s undoes an import that changes and removes records', async (end) => {
  const { id, stored } = await open();
  const backup = fileName(end);
  const result = await importing(changed(stored), '--prune', '--backup', backup);
  expect([result.code, result.errors]).toEqual([0, expect.stringMatching(/Wrote \d+ records [^\n]* to [^\n]*\n/)]);
  expect(comparable(await exported(id))).not.toEqual(comparable(stored));
  const undone = await importingFile(backup);
  expect(undone.code).toBe(0);
  expect(comparable(await exported(id))).toEqual(comparable(stored));
  expect((await stat(backup)).mode & 0o777).toBe(0o600);
});

it('a backup has the workspace and what the import changes or removes, and nothing else', async () => {
  const { stored } = await open();
  const { version, workspace, forms, apiKeys } = stored;
  const [first, ...others] = forms;
  const backup = fileName();
  const document = { version, workspace, apiKeys, forms: [{ ...first, title: { en: 'Other' } }, ...others] };
  expect((await importing(document, '--backup', backup)).code).toBe(0);
  expect(JSON.parse(await readFile(backup, 'utf8'))).toEqual({
    version,
    exportedAt: expect.any(String),
    workspace,
    forms: [first],
  });
});

it('a key is in a backup with the hash of its secret alone', async () => {
  const { stored } = await open();
  const { version, workspace, apiKeys } = stored;
  const backup = fileName();
  const renamed = apiKeys.map((key: Document) => ({ ...key, name: `${key.name} 2` }));
  await importing({ version, workspace, apiKeys: renamed }, '--backup', backup);
  const { apiKeys: kept } = JSON.parse(await readFile(backup, 'utf8'));
  expect(kept).toEqual(apiKeys);
  expect(kept[0]).toMatchObject({ secretHash: expect.any(String) });
  expect(kept[0]).not.toHaveProperty('secret');
});

it('the file must not exist, and then nothing is imported', async () => {
  const { id, stored } = await open();
  const backup = fileName();
  await writeFile(backup, 'mine');
  const link = fileName();
  await symlink(join(folder, 'nowhere'), link);
  for (const [file, reason] of [
    [backup, 'exists'],
    [link, 'exists'],
    [folder, 'exists'],
    [join(folder, 'none', 'b.json'), 'its directory does not exist'],
  ] as const) {
    const { code, errors } = await importing(changed(stored), '--prune', '--backup', file);
    expect([code, errors]).toEqual([1, expect.stringContaining(reason)]);
  }
  expect(await readFile(backup, 'utf8')).toBe('mine');
  expect(comparable(await exported(id))).toEqual(comparable(stored));
});

it('is not written by a dry run, by an import that fails, or of a new workspace', async () => {
  const { stored } = await open();
  const backup = fileName();
  expect((await importing(changed(stored), '--dry-run', '--backup', backup)).code).toBe(0);
  expect((await importing({ ...stored, forms: [{ id: 'broken' }] }, '--backup', backup)).code).toBe(1);
  const fresh = everyKind(newWorkspaceId());
  expect(await importing(fresh, '--backup', backup)).toMatchObject({ code: 0 });
  await expect(stat(backup)).rejects.toThrow('ENOENT');
});
