import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandFailure } from '#lib/workspace/command/command-failure.ts';
import { type Command, parseCommandLine } from '#lib/workspace/command/command-line.ts';
import { runExport } from '#lib/workspace/command/run-export.ts';
import type { Terminal } from '#lib/workspace/command/terminal.ts';
import { exportText, withoutTime } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId } from '#test/support/every-kind.ts';
import { storeWorkspace, testTable } from '#test/support/world.ts';

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
    const failure = new CommandFailure(`The file ${file} cannot be written: ${reason}.`);
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
