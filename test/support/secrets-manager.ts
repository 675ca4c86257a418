import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface SecretCall {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers GetSecretValue for one secret, with the labels of AWS Secrets Manager. The tests run no emulator. */
export class SecretsManager {
  readonly calls: SecretCall[] = [];
  /** If set, this answers instead. */
  fault: ((response: ServerResponse) => unknown) | undefined;
  readonly #server: Server;
  #values: Partial<Record<string, string>>;

  private constructor(value: string) {
    this.#values = { AWSCURRENT: value };
    this.#server = createServer(async (request, response) => {
      const call = { headers: request.headers, body: await text(request) };
      this.calls.push(call);
      if (this.fault) this.fault(response);
      else this.#answer(response, call);
    });
  }

  /** Starts the server with this value, and directs the calls of this process to it. */
  static async start(value: string): Promise<SecretsManager> {
    const manager = new SecretsManager(value);
    await once(manager.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = manager.#server.address() as AddressInfo;
    process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = `http://127.0.0.1:${port}`;
    return manager;
  }

  /** Makes the current value the previous one, as `put-secret-value` does. */
  rotate(value: string): void {
    const previous = this.#values['AWSCURRENT'] ?? '';
    this.#values = { AWSCURRENT: value, AWSPREVIOUS: previous };
  }

  /** The number of reads of the value with this label. */
  readings(stage: string): number {
    return this.calls.filter(({ body }) => JSON.parse(body).VersionStage === stage).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(response: ServerResponse, { body }: SecretCall): void {
    const value = this.#values[JSON.parse(body).VersionStage];
    if (value === undefined) response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
    else response.end(JSON.stringify({ SecretString: value }));
  }
}
