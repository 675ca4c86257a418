import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface SecretCall {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Secrets by their ARNs, of each the values by the labels of AWS Secrets Manager. */
type Secrets = Map<string, Partial<Record<string, string>>>;

/** Answers GetSecretValue as AWS Secrets Manager does. The tests run no emulator. */
export class SecretsManager {
  readonly calls: SecretCall[] = [];
  /** If set, this answers instead, unless it returns false. */
  fault: ((response: ServerResponse, arn: string) => unknown) | undefined;
  readonly #server: Server;
  readonly #secrets: Secrets;

  private constructor(secrets: Secrets) {
    this.#secrets = secrets;
    this.#server = createServer(async (request, response) => {
      const call = { headers: request.headers, body: await text(request) };
      this.calls.push(call);
      const { SecretId } = JSON.parse(call.body);
      if (!this.fault || this.fault(response, SecretId) === false) this.#answer(response, call);
    });
  }

  /** Starts the server with these values by ARN, and directs the calls of this process to it. */
  static async start(values: Readonly<Record<string, string>>): Promise<SecretsManager> {
    const secrets: Secrets = new Map(Object.entries(values).map(([arn, value]) => [arn, { AWSCURRENT: value }]));
    const manager = new SecretsManager(secrets);
    await once(manager.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = manager.#server.address() as AddressInfo;
    process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] = `http://127.0.0.1:${port}`;
    return manager;
  }

  /** Makes the current value the previous one, as `put-secret-value` does. */
  rotate(arn: string, value: string): void {
    const previous = this.#secrets.get(arn)?.['AWSCURRENT'];
    if (previous === undefined) throw new Error(`There is no secret ${arn}.`);
    this.#secrets.set(arn, { AWSCURRENT: value, AWSPREVIOUS: previous });
  }

  /** The number of reads of the value of a secret with this label. */
  readings(arn: string, stage: string): number {
    const asked = this.calls.map(({ body }) => JSON.parse(body));
    return asked.filter(({ SecretId, VersionStage }) => SecretId === arn && VersionStage === stage).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(response: ServerResponse, { body }: SecretCall): void {
    const { SecretId, VersionStage } = JSON.parse(body);
    const value = this.#secrets.get(SecretId)?.[VersionStage];
    if (value === undefined) response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
    else response.end(JSON.stringify({ SecretString: value }));
  }
}

/** The ARN of a secret of the tests. */
export const secretArn = (name: string): string =>
  `arn:aws:secretsmanager:eu-west-1:111122223333:secret:${name}-AbCdEf`;
