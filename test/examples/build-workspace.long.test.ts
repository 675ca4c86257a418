import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  const empty = join(folder, 'empty.json');
  await writeFile(empty, JSON.stringify(emptyWorkspace('ws_new', secret)));
  service = await LocalService.start('--workspace', empty, '--workspace', demoFile);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const build = (file: string) => {
  const env = { ...process.env, API_URL: service.url, API_KEY: secret };
  return run(process.execPath, [join(import.meta.dirname, 'build-workspace.js'), file], { cwd: root, env });
};

const exported = async (workspaceId: string) => {
  const { code, out, errors } = await runWorkspace(['export', '--workspace', workspaceId, '--url', service.url]);
  expect({ code, errors: code === 0 ? '' : errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(out);
};

type Members = readonly { readonly acceptedAt?: unknown }[];
const consents = ({ members }: { readonly members: Members }) => new Set(members.map(({ acceptedAt }) => acceptedAt));

it('A script builds the demo from nothing through HTTPS alone, where its members have yet to accept', async () => {
  expect(await build(demoFile)).toMatch(/^menu-products: \d\d+$/m);
  const built = await exported('ws_new');
  const imported = await exported('ws_saffron');
  expect(contentsOf(built, 'key_builder')).toEqual(contentsOf(imported, 'key_builder'));
  expect([consents(built), consents(imported)]).toEqual([new Set([null]), new Set([undefined])]);
});

it('The script may be run again, also with an export whose members have accepted', async () => {
  const built = await exported('ws_new');
  const accepted = {
    ...built,
    members: built.members.map((member: object) => ({ ...member, acceptedAt: built.exportedAt })),
  };
  await writeFile(join(folder, 'accepted.json'), JSON.stringify(accepted));
  await build(join(folder, 'accepted.json'));
  const again = await exported('ws_new');
  expect(contentsOf(again, 'key_builder')).toEqual(contentsOf(built, 'key_builder'));
  expect(consents(again)).toEqual(new Set([null]));
});
