import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Bundle } from '#lib/bundle/bundle-functions.ts';
import { LocalService } from './processes.ts';

const stackProgram = join(import.meta.dirname, '../infra/make-stack.ts');

/** The child process's reply to a command. */
interface StackReply {
  readonly id: number;
  readonly made?: object;
  readonly failure?: string;
}

/**
 * Holds resources that several files of a test run share. Each resource starts with the first file that requests it.
 * Test files use it over HTTP, because they run in several processes.
 */
export class RunServer {
  readonly #server: Server;
  readonly #stacks = new Stacks();
  #bundles: Promise<readonly Bundle[]> | undefined;
  #service: Promise<LocalService> | undefined;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      response.end(JSON.stringify(await this.#answer(request).catch((error) => ({ failure: String(error) }))));
    });
  }

  static async start(): Promise<RunServer> {
    const started = new RunServer();
    await once(started.#server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    const service = await this.#service?.catch(() => undefined);
    await Promise.all([this.#stacks.stop(), service?.stop()]);
  }

  async #answer(request: IncomingMessage): Promise<object> {
    if (request.url === '/stack') return this.#stacks.make(await text(request));
    if (request.url === '/bundles') return { bundles: await this.#bundle() };
    // The service bundles the functions that are not bundled yet, possibly while a test file does the same.
    this.#service ??= this.#bundle().then(() => LocalService.start());
    return { url: (await this.#service).url };
  }

  #bundle(): Promise<readonly Bundle[]> {
    // Loaded on demand, because the compiler is large.
    this.#bundles ??= import('#lib/bundle/bundle-functions.ts').then(({ bundleFunctions }) => bundleFunctions());
    return this.#bundles;
  }
}

/**
 * Makes each variant of the stack once, in one child process. Loading the CDK and its rules costs far more than a
 * variant, and several times that within jest.
 */
class Stacks {
  readonly #made = new Map<string, Promise<StackReply>>();
  readonly #waiting = new Map<number, PromiseWithResolvers<StackReply>>();
  #child: ChildProcess | undefined;

  make(order: string): Promise<StackReply> {
    const known = this.#made.get(order);
    if (known) return known;
    const id = this.#made.size;
    const waiting = Promise.withResolvers<StackReply>();
    this.#waiting.set(id, waiting);
    this.#made.set(order, waiting.promise);
    this.#running().send({ id, ...JSON.parse(order) });
    return waiting.promise;
  }

  async stop(): Promise<void> {
    if (!this.#child || this.#child.exitCode !== null) return;
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }

  #running(): ChildProcess {
    if (this.#child) return this.#child;
    // Threads that collect garbage together take as much CPU again in the compiled rules.
    const execArgv = ['--single-threaded-gc', '--max-semi-space-size=64'];
    const child = fork(stackProgram, { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    // Tests of a service under load run beside it.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    // The CDK reports its steps on stderr; only the message of a crash is shown.
    let words = '';
    child.stderr?.setEncoding('utf8').on('data', (piece) => {
      words += piece;
    });
    child.on('message', (reply: StackReply) => this.#waiting.get(reply.id)?.resolve(reply));
    child.on('close', (code) => {
      const failure = `make-stack.ts ended with ${code}: ${words}`;
      for (const [id, { resolve }] of this.#waiting) resolve({ id, failure });
    });
    this.#child = child;
    return child;
  }
}
