import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LocalService, runWorkspace } from '#test/support/processes.ts';
import { run } from '#test/support/run.ts';
import { contentsOf, emptyWorkspace } from './document-contents.ts';

const root = resolve(import.meta.dirname, '../..');
const demoFile = join(root, 'lib/local/demo-workspace.json');
const secret = 'builder-key-000000000000000000';
let folder: string;
let service: LocalService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-workspace-'));
  await writeFile(join(folder, 'empty.json'), JSON.stringify(emptyWorkspace('ws_new', secret)));
  service = await LocalService.start('--workspace', join(folder, 'empty.json'));
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const exported = async (workspaceId: string, url: string) => {
  const { code, out, errors } = await runWorkspace(['export', '--workspace', workspaceId, '--url', url]);
  expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
  return contentsOf(JSON.parse(out), 'key_builder');
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
    const built = await exported('ws_new', service.url);
    const imported = await exported('ws_saffron', other.url);
    expect(built).toEqual(imported);
  } finally {
    await other.stop();
  }
  await build();
  expect(await exported('ws_new', service.url)).toBeDefined();
});
