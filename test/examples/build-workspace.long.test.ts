import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { LocalService, runWorkspace } from '#test/support/processes.ts';
import { run } from '#test/support/run.ts';

const root = resolve(import.meta.dirname, '../..');
const demoFile = join(root, 'lib/local/demo-workspace.json');
const secret = 'builder-key-000000000000000000';
let folder: string;
let service: LocalService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-workspace-'));
  const empty = {
    version: 1,
    workspace: { id: 'ws_new', name: 'New', languages: ['en'], defaultLanguage: 'en', currency: null },
    apiKeys: [{ id: 'key_builder', name: 'Builder', secret, permissions: Permission.options }],
  };
  await writeFile(join(folder, 'empty.json'), JSON.stringify(empty));
  service = await LocalService.start('--workspace', join(folder, 'empty.json'));
}, 60_000);

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** What the script sends, without what every workspace has of its own. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is that of a document.
const contentsOf = ({ workspace, members, apiKeys, cms, menu, forms, messaging }: any) => ({
  workspace: { ...workspace, id: undefined },
  members,
  apiKeys: apiKeys
    .filter(({ id }: { id: string }) => id !== 'key_builder')
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    .map(({ secret: _, secretHash, ...key }: any) => key),
  cms,
  menu,
  forms,
  messaging: { channels: messaging.channels, customers: messaging.customers, agents: messaging.agents },
});

/** Records in the order of their ids. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value) && value.every((one) => typeof one?.id === 'string')) {
    const nameOf = (one: { modelId?: string; id: string }) => `${one.modelId ?? ''}/${one.id}`;
    return value.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
};

const exported = async (workspaceId: string, url: string) => {
  const { code, out, errors } = await runWorkspace(['export', '--workspace', workspaceId, '--url', url]);
  expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
  return sorted(contentsOf(JSON.parse(out)));
};

it('A script builds the demo from nothing through HTTPS alone, and may be run again', async () => {
  const environment = { ...process.env, API_URL: service.url, API_KEY: secret };
  const build = () =>
    run(process.execPath, [join(import.meta.dirname, 'build-workspace.js'), demoFile], { cwd: root, env: environment });
  const out = await build();
  expect(out).toMatch(/^menu-products: \d\d+$/m);
  const demo = JSON.parse(await readFile(demoFile, 'utf8'));
  await writeFile(join(folder, 'demo.json'), JSON.stringify(demo));
  const other = await LocalService.start('--workspace', join(folder, 'demo.json'));
  try {
    const [built, imported] = [await exported('ws_new', service.url), await exported('ws_saffron', other.url)];
    expect(built).toEqual(imported);
  } finally {
    await other.stop();
  }
  await build();
  expect(await exported('ws_new', service.url)).toBeDefined();
}, 180_000);
