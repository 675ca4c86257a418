import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const program = join(import.meta.dirname, 'make-stack.ts');

/** What the child process says of an order. */
interface Reply {
  readonly id: number;
  readonly made?: object;
  readonly failure?: string;
}

/**
 * Makes each variant of the stack once in a run, in one child process that starts with the first order: loading the CDK
 * and its rules costs far more than a variant, and within jest several times that.
 */
export class StackServer {
  readonly #server: Server;
  readonly #made = new Map<string, Promise<Reply>>();
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>();
  #child: ChildProcess | undefined;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      response.end(JSON.stringify(await this.#make(await text(request))));
    });
  }

  static async start(): Promise<StackServer> {
    const started = new StackServer();
    await once(started.#server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (!this.#child || this.#child.exitCode !== null) return;
    this.#child.disconnect();
    await once(this.#child, 'exit');
  }

  #make(order: string): Promise<Reply> {
    const known = this.#made.get(order);
    if (known) return known;
    const id = this.#made.size;
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting.set(id, waiting);
    this.#made.set(order, waiting.promise);
    this.#running().send({ id, ...JSON.parse(order) });
    return waiting.promise;
  }

  #running(): ChildProcess {
    if (this.#child) return this.#child;
    const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    // The CDK tells there what it is doing; only the words of a crash are shown.
    let words = '';
    child.stderr?.setEncoding('utf8').on('data', (piece) => {
      words += piece;
    });
    child.on('message', (reply: Reply) => this.#waiting.get(reply.id)?.resolve(reply));
    child.on('close', (code) => {
      const failure = `make-stack.ts ended with ${code}: ${words}`;
      for (const [id, { resolve }] of this.#waiting) resolve({ id, failure });
    });
    this.#child = child;
    return child;
  }
}
