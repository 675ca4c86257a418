import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Failure } from '#lib/domain/failure.ts';
import { type Command, parseCommandLine } from '#lib/workspace/command/command-line.ts';
import { runCommand, type TableCommand } from '#lib/workspace/command/run-command.ts';
import { runExport } from '#lib/workspace/command/run-export.ts';
import type { Terminal } from '#lib/workspace/command/terminal.ts';
import { exportText, withoutTime } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId } from '#test/support/every-kind.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { storeWorkspace, testTable } from '#test/support/world.ts';

await openOwnTable();
const workspaceId = newWorkspaceId();
let folder: string;
let text: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workspace-command-export-'));
  await storeWorkspace(everyKind(workspaceId));
  text = withoutTime(await exportText(workspaceId));
});
afterAll(() => rm(folder, { recursive: true }));

const inFolder = (name: string): string => join(folder, name);
const silent: Terminal = {
  print: () => undefined,
  note: () => undefined,
  write: async () => undefined,
  progress: () => ({
    count: 0,
    async *counting(records) {
      yield* records;
    },
  }),
};

function exportTo(file: string): Promise<void> {
  const command = parseCommandLine(['export', file, '--workspace', workspaceId]);
  return runExport(command as Extract<Command, { name: 'export' }>, testTable(), silent);
}

describe('export of all workspaces', () => {
  const run = (...args: readonly string[]) =>
    runCommand(parseCommandLine(['export', ...args]) as TableCommand, { table: testTable() } as never, silent);

  it('writes each in a file of its own, the same as its own export', async () => {
    const other = newWorkspaceId();
    await storeWorkspace(everyKind(other));
    const directory = inFolder('all/of them');
    await run(directory, '--all');
    expect(await readdir(directory)).toEqual(expect.arrayContaining([`${other}.ndjson`, `${workspaceId}.ndjson`]));
    await exportTo(inFolder('own.ndjson'));
    const [own, one] = await Promise.all(
      [inFolder('own.ndjson'), join(directory, `${workspaceId}.ndjson`)].map((file) => readFile(file, 'utf8')),
    );
    expect(withoutTime(one ?? '')).toBe(withoutTime(own ?? ''));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('refuses a file as directory, and a workspace beside --all', async () => {
    await writeFile(inFolder('taken'), 'kept');
    await expect(run(inFolder('taken'), '--all')).rejects.toThrow(`The directory ${inFolder('taken')} cannot be made`);
    expect(() => parseCommandLine(['export', 'x', '--all', '--workspace', 'ws_1'])).toThrow('only one of');
    expect(() => parseCommandLine(['export', '--all'])).toThrow('Missing argument: DIR');
  });
});

describe('export to a file', () => {
  it('refuses a directory, and a link to something other than a file, and leaves them unchanged', async () => {
    const directory = inFolder('directory.json');
    const socket = inFolder('socket');
    const link = inFolder('socket.json');
    await mkdir(directory);
    const server = createServer().listen(socket);
    await once(server, 'listening');
    await symlink(socket, link);
    for (const file of [directory, socket, link]) {
      await expect(exportTo(file)).rejects.toThrow(`The file ${file} cannot be written: it is not a regular file.`);
    }
    expect((await stat(directory)).isDirectory()).toBe(true);
    expect((await stat(link)).isSocket()).toBe(true);
    server.close();
  });

  it.each([
    ['gone/a.json', 'its directory does not exist'],
    ['plain.json/a.json', 'its path leads through a file'],
    [`${'a'.repeat(300)}.json`, 'its name is too long'],
  ])('export to %s says why that is not possible', async (name, reason) => {
    await writeFile(inFolder('plain.json'), 'kept');
    const file = inFolder(name);
    const failure = new Failure(`The file ${file} cannot be written: ${reason}.`);
    await expect(exportTo(file)).rejects.toThrow(failure);
    expect(await readFile(inFolder('plain.json'), 'utf8')).toBe('kept');
  });

  it('writes to the target of a link', async () => {
    const link = inFolder('link.json');
    const target = inFolder('target.json');
    await writeFile(target, 'old');
    await symlink(target, link);
    await exportTo(link);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(withoutTime(await readFile(target, 'utf8'))).toBe(text);
  });

  it('touches no other file, and two in parallel leave one of them whole', async () => {
    const file = inFolder('whole.json');
    const other = inFolder('whole.json.partial');
    await writeFile(other, 'mine');
    await Promise.all([exportTo(file), exportTo(file), exportTo(file)]);
    expect(withoutTime(await readFile(file, 'utf8'))).toBe(text);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(other, 'utf8')).toBe('mine');
    expect((await readdir(folder)).filter((name) => name.startsWith('whole.json'))).toEqual([
      'whole.json',
      'whole.json.partial',
    ]);
  });
});
