import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Front, type FrontOptions, startFront } from '#lib/local/front.ts';
import type { FunctionHost } from '#lib/local/function-host.ts';
import { requestLimits } from '#lib/local/request-limits.ts';

/** A call of a function, in the answer of `echo`. */
export interface Call {
  readonly name: string;
  readonly event: APIGatewayProxyEventV2;
}
type Event = APIGatewayProxyEventV2;
export type Invoke = (call: Call) => unknown;

const routes = [
  { name: 'thing-get', methods: ['GET'], path: '/things/{id}' },
  { name: 'thing-put', methods: ['PUT'], path: '/things/{id}' },
  { name: 'stream-get', methods: ['GET'], path: '/streams/{name+}' },
  { name: 'files-upload', methods: ['POST'], path: '/files' },
] as const;

export const echo: Invoke = ({ name, event }) => ({ statusCode: 200, body: JSON.stringify({ name, event }) });

/** A host whose functions neither stream nor accept plain HTTP. */
export const noFunctions: FunctionHost = {
  invoke: () => Promise.reject(new Error('There is no such function.')),
  stream: () => Promise.reject(new Error('There is no such function.')),
  web: () => undefined,
};

/** A front with four routes that all run the given function. */
export class TestFront {
  readonly #front: Front;

  private constructor(front: Front) {
    this.#front = front;
  }

  static async open(invoke: Invoke = echo, limits: keyof typeof requestLimits = 'ours', port = 0): Promise<TestFront> {
    const functions = { ...noFunctions, invoke: async (name: string, event: Event) => invoke({ name, event }) };
    return TestFront.over(functions, limits, port);
  }

  static async over(
    functions: FunctionHost,
    limits: keyof typeof requestLimits = 'ours',
    port = 0,
    more: Partial<FrontOptions> = {},
  ): Promise<TestFront> {
    const front = await startFront({
      host: '127.0.0.1',
      port,
      routes,
      endpoints: new Map([
        ['files-upload', { requestBodyMode: 'streamed' }],
        ['stream-get', { responseMode: 'streamed' }],
      ]),
      functions,
      limits: requestLimits[limits],
      pages: { engines: () => ({ dynamodb: 'here' }) },
      ...more,
    });
    return new TestFront(front);
  }

  get port(): number {
    return this.#front.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Sends bytes unchanged, and returns all received bytes until the connection ends. */
  async sendRaw(bytes: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    return text(socket);
  }

  stop(): Promise<void> {
    return this.#front.stop();
  }
}

/** The end of a response head after which the server closes the connection. */
export const closing = 'Host: x\r\nConnection: close\r\n\r\n';
