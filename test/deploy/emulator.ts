import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '#lib/local/free-port.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const startMillisecondsMax = 300_000;

/** MiniStack, an emulator of AWS that runs Node functions as processes. It listens on this machine only. */
export class Emulator {
  readonly url: string;
  /** The environment of the SDK, the CDK and our programs. It contains nothing of the user's own account. */
  readonly environment: NodeJS.ProcessEnv;
  readonly #child: ChildProcess;

  private constructor(url: string, environment: NodeJS.ProcessEnv, child: ChildProcess) {
    this.url = url;
    this.environment = environment;
    this.#child = child;
  }

  static async start(folder: string, programs: string): Promise<Emulator> {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const base = { PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH']}`, HOME: join(folder, 'home') };
    await Promise.all(['home', 'temporary'].map((name) => mkdir(join(folder, name))));
    // The emulator unpacks functions below this folder, so they find the modules of Lambda's runtime here.
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
    const child = spawn(join(programs, 'python'), ['-m', 'ministack'], {
      cwd: folder,
      env: {
        ...base,
        BIND_HOST: '127.0.0.1',
        GATEWAY_PORT: String(port),
        TMPDIR: join(folder, 'temporary'),
        S3_DATA_DIR: join(folder, 's3'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(folder, 'emulator.log'));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const environment = {
      ...base,
      TMPDIR: join(folder, 'temporary'),
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
    };
    const emulator = new Emulator(url, environment, child);
    await emulator.#ready();
    return emulator;
  }

  async #ready(): Promise<void> {
    const patience = AbortSignal.timeout(startMillisecondsMax);
    for (;;) {
      const answer = await fetch(`${this.url}/_ministack/health`).catch(() => undefined);
      if (answer?.ok) return;
      if (this.#child.exitCode !== null || patience.aborted) throw new Error('MiniStack does not start.');
      await delay(200);
    }
  }

  /** All sent mails, as JSON. */
  mails = async (): Promise<string> => (await fetch(`${this.url}/_ministack/ses/messages`)).text();

  /** Waits until a mail to this address was sent, by the next attempt or the one after. @throws after five minutes */
  async mailTo(address: string): Promise<void> {
    const patience = AbortSignal.timeout(300_000);
    for (;;) {
      const sent = await this.mails();
      if (sent.includes(address)) return;
      if (patience.aborted)
        throw new Error(`No mail to ${address} was sent within five minutes, but: ${sent.slice(0, 500)}`);
      await delay(500);
    }
  }

  /** Stops the emulator and the processes of all functions. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await closed;
    clearTimeout(timer);
  }
}
