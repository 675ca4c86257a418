import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onLoadTolerantClock } from '#test/support/processes.ts';

const root = resolve(import.meta.dirname, '../..');
const shell = promisify(execFile);

/** The program behind `npm start`, as a process. */
class LocalRun {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;
  out = '';
  errors = '';

  constructor(options: readonly string[], environment: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, [...onLoadTolerantClock, 'bin/local.ts', ...options], {
      cwd: root,
      env: { ...process.env, ...environment },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text) => {
      this.out += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text) => {
      this.errors += text;
    });
    this.ended = once(this.#child, 'close').then(([code]) => code);
  }

  get url(): string | undefined {
    return /^ready (http:\/\/127\.0\.0\.1:\d+)$/m.exec(this.out)?.[1];
  }

  async ready(): Promise<string> {
    for (;;) {
      if (this.url) return this.url;
      if (this.#child.exitCode !== null) throw new Error(this.errors);
      await delay(20);
    }
  }

  /** Kills the embedded DynamoDB as the system does when memory runs out. */
  async killEngine(): Promise<void> {
    const { pid } = this.#child;
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
    for (const child of children)
      if ((await readFile(`/proc/${child}/comm`, 'utf8')) === 'java\n') process.kill(Number(child), 'SIGKILL');
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}

let folder: string;
let runs: LocalRun[];

const start = (options: readonly string[], environment?: NodeJS.ProcessEnv): LocalRun => {
  const run = new LocalRun(options, environment);
  runs.push(run);
  return run;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-run-'));
  runs = [];
});

afterEach(async () => {
  await Promise.all(runs.map((run) => run.stop()));
  await rm(folder, { recursive: true, force: true });
});

describe('npm start', () => {
  it('loads the demo, prints calls that work as printed, and stops on a signal', async () => {
    const run = start(['--port', '0']);
    await run.ready();
    const calls = run.out.match(/^ {2}curl .+$/gm) ?? [];
    expect(calls).toHaveLength(3);
    for (const call of calls) {
      const { stdout } = await shell('sh', ['-c', `${call.trim()} -s -w '\\n%{http_code}'`]);
      expect(stdout.split('\n').at(-1)).toBe('200');
    }
    expect(run.out.match(/^ready .*$/gm)).toHaveLength(1);
    expect(await run.stop('SIGINT')).toBe(0);
  });

  it('keeps what was edited in its data directory, which it alone uses', async () => {
    const options = ['--port', '0', '--data', join(folder, 'data')];
    const first = start(options);
    await first.ready();
    const [change = ''] = first.out.match(/^ {2}curl -X PATCH .+$/m) ?? [];
    const edited = JSON.parse((await shell('sh', ['-c', `${change.trim()} -s`])).stdout);

    const second = start(options);
    expect(await second.ended).toBe(1);
    expect(second.errors).toMatch(/^The data directory .+ is in use by process \d+; stop that one first\.\n$/);

    expect(await first.stop()).toBe(0);
    const third = start(options);
    const url = await third.ready();
    const [, address = ''] = / '(http:[^']+)'$/.exec(change) ?? [];
    const [, key = ''] = /Bearer ([^']+)/.exec(change) ?? [];
    const again = await fetch(address.replace(/^http:\/\/[^/]+/, url), { headers: { 'x-api-key': key } });
    expect(await again.json()).toEqual(edited);
  });

  it.each([0, 200, 500])(
    'stops cleanly in the middle of its start, %i milliseconds after its first step',
    async (milliseconds) => {
      const run = start(['--port', '0', '--data', folder]);
      // The lock shows that the program runs. A signal before that ends the process without its handler.
      while (!existsSync(join(folder, 'process'))) await delay(10);
      await delay(milliseconds);
      expect(await run.stop()).toBe(0);
      expect(run.errors).toBe('');
      expect(existsSync(join(folder, 'process'))).toBe(false);
    },
  );

  it('leaves no engine behind when it is killed', async () => {
    const run = start(['--port', '0']);
    const answer = await fetch(`${await run.ready()}/_local/engines`);
    const { dynamodb } = (await answer.json()) as { dynamodb: { endpoint: string } };
    const isThere = () =>
      fetch(dynamodb.endpoint).then(
        () => true,
        () => false,
      );
    expect(await isThere()).toBe(true);
    await run.stop('SIGKILL');
    while (await isThere()) await delay(50);
  });

  it('starts a killed engine again, and has what was acknowledged', async () => {
    const run = start(['--port', '0', '--data', join(folder, 'data')], { LOG_LEVEL: '' });
    const url = `${await run.ready()}/api/public/cms/chefs/chef_noura?fields=name`;
    const headers = { 'x-api-key': 'saffron-editor-key-00000000', 'content-type': 'application/json' };
    for (const en of ['Before a kill', 'Before another']) {
      const change = { method: 'PATCH', headers, body: JSON.stringify({ values: { name: { en } } }) };
      expect((await fetch(url, change)).status).toBe(200);
      await run.killEngine();
      let answer = await fetch(url, { headers });
      while (answer.status === 503) answer = await fetch(url, { headers });
      expect(await answer.json()).toMatchObject({ name: { en } });
    }
    const restarts = run.out.split('\n').filter((line) => line.includes('The engine is started again.'));
    expect(restarts).toHaveLength(2);
    for (const line of restarts) expect(JSON.stringify(JSON.parse(line))).toContain('ended (SIGKILL)');
    expect(await run.stop()).toBe(0);
  });

  it('ends with the reason when an engine with its data in memory was killed', async () => {
    const run = start(['--port', '0']);
    await run.ready();
    await run.killEngine();
    expect(await run.ended).toBe(1);
    expect(run.errors).toMatch(/^The embedded DynamoDB has ended \(SIGKILL\)\. /m);
  });
});

describe('a start that cannot succeed', () => {
  it.each([[['--prot', '1']], [['here']], [['--port', 'x']], [['--limits', 'gcp']], [['--data', '']]])(
    'shows the usage for %j',
    async (options) => {
      const run = start(options);
      expect(await run.ended).toBe(2);
      expect(run.errors).toContain('Usage: npm start -- ');
      expect(run.out).toBe('');
    },
  );

  it('prints the usage with --help, and starts nothing', async () => {
    const run = start(['--help']);
    expect(await run.ended).toBe(0);
    expect(run.out).toMatch(/^Usage: npm start -- .+--limits aws/s);
    expect(run.errors).toBe('');
  });

  it('reports an address of another machine immediately', async () => {
    const run = start(['--port', '0', '--host', '192.0.2.1'], { PATH: folder, JAVA_HOME: '' });
    expect(await run.ended).toBe(1);
    expect(run.errors).toMatch(/^The address 192\.0\.2\.1 cannot be used.+\n$/);
  });

  it('reports a used port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const run = start(['--port', String((server.address() as AddressInfo).port)]);
    expect(await run.ended).toBe(1);
    expect(run.errors).toMatch(/^Port \d+ on 127\.0\.0\.1 cannot be used.+\n$/);
    server.close();
  });

  it('prints how to install Java', async () => {
    const run = start(['--port', '0'], { PATH: folder, JAVA_HOME: '' });
    expect(await run.ended).toBe(1);
    expect(run.errors).toMatch(/^The embedded DynamoDB needs Java 17 or newer, .+apt-get install.+\n$/);
  });

  it('reports a Java that is too old', async () => {
    const script = '#!/bin/sh\necho \'openjdk version "11.0.2" 2019-01-15\' >&2\n[ "$1" = -version ]\n';
    await writeFile(join(folder, 'java'), script, { mode: 0o755 });
    const run = start(['--port', '0'], { PATH: `${folder}:${process.env['PATH']}`, JAVA_HOME: '' });
    expect(await run.ended).toBe(1);
    expect(run.errors).toMatch(/^The embedded DynamoDB needs Java 17 or newer, and this is Java 11\. .+\n$/);
  });

  it.each([
    ['is not there', undefined, /^The workspace file .+ cannot be read: there is no such file\.\n$/],
    ['is no JSON', '{', /^The workspace file .+ was not loaded, because of one failure:\n {2}document: .+\n$/],
    ['is no workspace', '{"version":1}', /^The workspace file .+ was not loaded, because of /],
  ])('reports the errors of a file that %s', async (_, content, sentence) => {
    const file = join(folder, 'workspace.json');
    if (content !== undefined) await writeFile(file, content);
    const run = start(['--port', '0', '--workspace', file]);
    expect(await run.ended).toBe(1);
    expect(run.errors).toMatch(sentence);
    expect(run.out).toBe('');
  });
});
