import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataDirectory } from '#lib/local/data-directory.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'data-directory-'));
});

afterEach(() => rm(parent, { recursive: true, force: true }));

describe('openDataDirectory', () => {
  it('makes the directory for its owner only', async () => {
    const data = await openDataDirectory(join(parent, 'new/data'));
    expect((await stat(data.path)).mode & 0o777).toBe(0o700);
    await data.release();
  });

  it('refuses a directory that another process uses, and names the process', async () => {
    const data = await openDataDirectory(parent);
    await expect(openDataDirectory(parent)).rejects.toThrow(
      `The data directory ${parent} is in use by process ${process.pid}; stop that one first.`,
    );
    await data.release();
  });

  it('can be opened again after its release, and keeps no process', async () => {
    for (let round = 0; round < 2; round++) await (await openDataDirectory(parent)).release();
    expect(await readdir(parent)).toEqual(['dynamodb', 'lock.db', 's3', 'secret']);
  });

  it('has the same secret each time, and another one than other directories', async () => {
    const secrets: string[] = [];
    for (const path of [parent, parent, join(parent, 'other')]) {
      const data = await openDataDirectory(path);
      secrets.push(data.secret);
      await data.release();
    }
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets[1]).toBe(secrets[0]);
    expect(secrets[2]).not.toBe(secrets[0]);
  });

  it('admits one of several concurrent processes', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => openDataDirectory(parent)));
    const opened = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(opened).toHaveLength(1);
    expect(await readdir(parent)).toEqual(['dynamodb', 'lock.db', 'process', 's3', 'secret']);
    await opened[0]?.value.release();
  });

  it('is used by one process until that is killed, even if its parent never waits for it', async () => {
    const program = `
      import { openDataDirectory } from ${JSON.stringify(join(import.meta.dirname, '../../lib/local/data-directory.ts'))};
      await openDataDirectory(process.argv[1]);
      console.log(process.pid);
      setInterval(() => undefined, 1_000);`;
    // The shell starts the process, and becomes a program that never waits for its child.
    const script = '"$0" --input-type=module -e "$1" "$2" & exec sleep 60';
    const shell = spawn('sh', ['-c', script, process.execPath, program, parent], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(shell.stdout.setEncoding('utf8'), 'data');
      await expect(openDataDirectory(parent)).rejects.toThrow(`is in use by process ${Number(line)}; stop that one`);
      process.kill(Number(line), 'SIGKILL');
      const opened = async () => openDataDirectory(parent).catch(() => undefined);
      let data = await opened();
      while (!data) data = await opened();
      expect(await readFile(join(parent, 'process'), 'utf8')).toBe(String(process.pid));
      await data.release();
    } finally {
      shell.kill('SIGKILL');
    }
  });

  it.each(['file', 'file/below'])('reports in a sentence that %s is no directory', async (name) => {
    await writeFile(join(parent, 'file'), '');
    await expect(openDataDirectory(join(parent, name))).rejects.toThrow(/^The data directory .+ cannot be used: /);
  });
});

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a directory below /proc', () => {
  it('is refused, because none can be created there', async () => {
    await expect(openDataDirectory('/proc/nobody/data')).rejects.toThrow(/^The data directory .+ cannot be used: /);
  });
});
