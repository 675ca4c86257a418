import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { loadWorkspaces } from '#lib/local/load-workspaces.ts';
import { call } from '#test/support/call.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { type Document, load, testTable } from '#test/support/world.ts';

const url = 'http://127.0.0.1:3000';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local load '));
});

afterAll(() => rm(folder, { recursive: true }));

async function fileOf(document: Document, name = 'workspace.json'): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(document));
  return join(folder, name);
}

const start = async (...files: string[]): Promise<string> => {
  const report = await loadWorkspaces(testTable().uncached(), files);
  return report(url).join('\n');
};

describe('a start with --workspace', () => {
  it('keeps edits since the first start, and reports them', async () => {
    const id = newWorkspaceId();
    const document = everyKind(id);
    document.apiKeys[0].permissions = ['cms:entry:read', 'cms:entry:update'];
    const file = await fileOf(document);
    expect(await start(file)).toBe(`Loaded workspace ${id} from ${file}.`);
    const address = '/api/public/cms/dishes/dish_1';
    const key = siteSecret(id);
    expect((await call(`PATCH ${address}`, { key, body: { values: { amount: 77 } } })).status).toBe(200);
    const again = await start(file);
    expect(again).toContain(`Workspace ${id} is stored already; ${file} was not loaded.`);
    expect(again).toContain(`npm run workspace -- import '${file}' --url ${url}`);
    expect((await call(`GET ${address}`, { key })).json.amount).toBe(77);
  });

  it('makes no event, and an import of the same file afterwards makes one', async () => {
    const id = newWorkspaceId();
    const document = everyKind(id);
    const secret = `reader-of-${id}`;
    document.apiKeys.push({ id: 'key_reader', name: 'Reader', secret, permissions: Permission.options });
    await start(await fileOf(document));
    const types = async () =>
      (await call('GET /api/v1/events', { key: secret })).json.data.map(({ type }: { type: string }) => type);
    expect(await types()).toEqual([]);
    document.workspace.name = 'Other';
    await load(document);
    expect(await types()).toEqual(['workspace.imported']);
  });

  it('loads the files of new workspaces, even two of one workspace', async () => {
    const stored = newWorkspaceId();
    const fresh = newWorkspaceId();
    const old = await fileOf(everyKind(stored), 'old.json');
    await start(old);
    const document = everyKind(fresh);
    const { version, workspace, apiKeys, members } = document;
    const parts = [
      await fileOf({ version, workspace, apiKeys, members }, 'part-1.json'),
      await fileOf({ version, workspace, cms: document.cms }, 'part-2.json'),
    ];
    const report = await start(old, ...parts);
    for (const file of parts) expect(report).toContain(`Loaded workspace ${fresh} from ${file}`);
    expect(report).toContain(`Workspace ${stored} is stored already`);
    const key = siteSecret(fresh);
    expect((await call('GET /api/public/cms/dishes/list', { key })).status).toBe(200);
  });

  it.each<[string, (document: Document) => void, boolean]>([
    ['has no keys', (document) => delete document.apiKeys, true],
    [
      'has revoked and expired keys only',
      (document) => {
        document.apiKeys = document.apiKeys.slice(2);
      },
      true,
    ],
    [
      'has a key of an inactive member',
      (document) => {
        document.apiKeys = [{ id: 'key_omar', name: 'Omar', memberId: 'mem_omar' }];
      },
      true,
    ],
    ['has a key', () => undefined, false],
  ])('explains how to make a key when the workspace %s', async (_, change, isTold) => {
    const id = newWorkspaceId();
    const document = everyKind(id);
    change(document);
    const command = `npm run workspace -- key create --workspace ${id} --name Website --url ${url}`;
    expect((await start(await fileOf(document))).includes(command)).toBe(isTold);
  });
});
