import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

interface UserRequest {
  readonly UserPoolId: string;
  readonly Username: string;
  readonly MessageAction?: string;
  readonly UserAttributes?: readonly object[];
}

/** The people with an account. They are `invited` until they have chosen a password. */
type State = 'invited' | 'signed up';

/** Imitates the only call of Amazon Cognito that the service makes, with planned faults. */
export class UserPool {
  readonly #server: Server;
  readonly users = new Map<string, State>();
  calls: UserRequest[] = [];
  /** An error response, such as `{ type: 'TooManyRequestsException', status: 400 }`; with `hang` there is none. */
  fault: { readonly type: string; readonly status: number } | 'hang' | undefined;
  /** The time until each answer. */
  delayMilliseconds = 0;

  private constructor() {
    this.#server = createServer(async (request, reply) => {
      const isCreation = request.headers['x-amz-target'] === 'AWSCognitoIdentityProviderService.AdminCreateUser';
      const asked = (await json(request)) as UserRequest;
      if (this.fault === 'hang') return;
      await pause(this.delayMilliseconds);
      if (!isCreation) return refuse(reply, 'UnknownOperationException', 400);
      this.calls.push(asked);
      if (this.fault) return refuse(reply, this.fault.type, this.fault.status);
      const state = this.users.get(asked.Username);
      if (asked.MessageAction !== 'RESEND' && state) return refuse(reply, 'UsernameExistsException', 400);
      if (asked.MessageAction === 'RESEND' && state !== 'invited') {
        return refuse(reply, state ? 'UnsupportedUserStateException' : 'UserNotFoundException', 400);
      }
      this.users.set(asked.Username, 'invited');
      answer(reply, 200, { User: { Username: asked.Username, Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD' } });
    });
  }

  /** Starts a pool and sets it as the SDK's endpoint. */
  static async start(): Promise<UserPool> {
    const pool = new UserPool();
    await once(pool.#server.listen(0, '127.0.0.1'), 'listening');
    pool.lead();
    return pool;
  }

  /** Sets it as the endpoint of an SDK that is loaded later, for tests whose commands change the environment. */
  lead(): void {
    const { port } = this.#server.address() as AddressInfo;
    process.env['AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER'] = `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

const refuse = (reply: ServerResponse, type: string, status: number): void =>
  answer(reply, status, { __type: type, message: 'As planned.' });

function answer(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}
