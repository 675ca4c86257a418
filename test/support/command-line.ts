import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedEnvironment } from '#lib/local/environment.ts';
import { runArguments } from '#lib/workspace/command/run-arguments.ts';
import { lineProgress, type Terminal } from '#lib/workspace/command/terminal.ts';

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly out: string;
  readonly errors: string;
}

/** The variables that a command overwrites, although tests in the same process still need them. */
const environment = Object.entries(process.env).filter(([name]) => name === 'ROUTES' || name.startsWith('AWS_'));

/** Runs `npm run workspace -- ...` within this process, without an interactive terminal. */
export async function runCommandLine(args: readonly string[]): Promise<CommandResult> {
  let out = '';
  let errors = '';
  const note = (line: string) => {
    errors += `${line}\n`;
  };
  const terminal: Terminal = {
    note,
    print(line) {
      out += `${line}\n`;
    },
    async write(document) {
      for await (const text of document) out += text;
    },
    progress: (step, total) => lineProgress(note, step, total),
  };
  try {
    const code = await runArguments(args, terminal);
    return { code, out, errors };
  } finally {
    Object.assign(process.env, Object.fromEntries(environment));
  }
}

/** Imitates a running local service with the engine and the table of this test file. */
export class Engines {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param mailEndpoint the address of the mail service */
  static async open(mailEndpoint = 'http://127.0.0.1:9'): Promise<Engines> {
    const { env } = process;
    const dynamodb = {
      endpoint: env['AWS_ENDPOINT_URL_DYNAMODB'],
      region: env['AWS_REGION'],
      accessKeyId: env['AWS_ACCESS_KEY_ID'],
      secretAccessKey: env['AWS_SECRET_ACCESS_KEY'],
      tableName: env['TABLE_NAME'],
    };
    const mail = { endpoint: mailEndpoint };
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ dynamodb, mail, settings: sharedEnvironment() })),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Engines(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
