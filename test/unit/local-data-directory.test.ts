import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
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
    data.release();
  });

  it('refuses a directory that another process uses, and names the process', async () => {
    const data = await openDataDirectory(parent);
    await expect(openDataDirectory(parent)).rejects.toThrow(
      `The data directory ${parent} is in use by process ${process.pid}; stop that one first.`,
    );
    data.release();
  });

  it('can be opened again after its release, and keeps no lock', async () => {
    for (let round = 0; round < 2; round++) (await openDataDirectory(parent)).release();
    expect(await readdir(parent)).toEqual(['dynamodb', 's3']);
  });

  it('admits one of several concurrent processes', async () => {
    await writeFile(join(parent, 'lock'), '4194999 1');
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => openDataDirectory(parent)));
    const opened = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(opened).toHaveLength(1);
    expect(await readdir(parent)).toEqual(['dynamodb', 'lock', 's3']);
    opened[0]?.value.release();
  });

  it.each(['', 'nonsense', '-1', '0', '99999999999'])(
    'takes over a lock that names no process: %j',
    async (content) => {
      await writeFile(join(parent, 'lock'), content);
      const data = await openDataDirectory(parent);
      expect(Number.parseInt(await readFile(join(parent, 'lock'), 'utf8'), 10)).toBe(process.pid);
      data.release();
    },
  );

  it('takes over the lock of an ended process', async () => {
    const gone = spawn(process.execPath, ['-e', '0']);
    await once(gone, 'exit');
    await writeFile(join(parent, 'lock'), String(gone.pid));
    (await openDataDirectory(parent)).release();
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

onLinux('a killed process that its parent has not reaped', () => {
  it('does not keep its lock', async () => {
    // The shell starts a child, prints its id, and becomes a program that never waits for the child.
    const parentProcess = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(parentProcess.stdout.setEncoding('utf8'), 'data');
      const pid = Number(line);
      const stat = () => readFile(`/proc/${pid}/stat`, 'utf8');
      const held = `${pid} ${(await stat()).split(') ')[1]?.split(' ')[19]}`;
      await writeFile(join(parent, 'lock'), held);
      await expect(openDataDirectory(parent)).rejects.toThrow(`is in use by process ${pid}`);
      process.kill(pid, 'SIGKILL');
      while (!(await stat()).includes(') Z ')) await setImmediate();
      (await openDataDirectory(parent)).release();
    } finally {
      parentProcess.kill('SIGKILL');
    }
  });
});

onLinux('a process id that is used again', () => {
  it('does not keep the lock of the process that had it before', async () => {
    await writeFile(join(parent, 'lock'), `${process.pid} 1`);
    (await openDataDirectory(parent)).release();
  });
});
