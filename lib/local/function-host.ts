import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import type { Endpoint } from '#lib/http/declaration.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { logError } from '#lib/http/work-log.ts';
import { errorAnswer } from './http-server.ts';
import { type AnswerHead, type OpenAnswer, ResponseStream } from './response-stream.ts';
import { settlesWithin } from './settles-within.ts';

/** One second less than the gateway waits. */
const deadlineMilliseconds = 29_000;

/**
 * The maximum number of calls at the same time. All functions share this process and one engine, so more calls would
 * only make each other miss their deadlines. Deployed, each call has a container of its own.
 */
const callsAtOnce = 6;
/** The maximum time that a call waits for its turn. */
const waitMillisecondsMax = 20_000;

type Handler = (event: APIGatewayProxyEventV2, context: LambdaContext) => Promise<unknown>;
type StreamingHandler = (
  event: APIGatewayProxyEventV2,
  stream: ResponseStream,
  context: LambdaContext,
) => Promise<void>;

/** Answers a plain HTTP request. @returns its event, with the state that the chain has set */
export type WebHandler = (request: IncomingMessage, response: ServerResponse) => Promise<Partial<ApiEvent>>;

/** The context of Node 24's runtime, without the callbacks of older runtimes. */
type LambdaContext = Omit<Context, 'callbackWaitsForEmptyEventLoop' | 'done' | 'fail' | 'succeed'>;

/** Runs functions by name. */
export interface FunctionHost {
  /**
   * @param watchClient its signal aborts when the client has left; such a call does not begin if it has to wait
   * @returns the function's result
   */
  invoke(name: string, event: APIGatewayProxyEventV2, watchClient?: () => AbortSignal): Promise<unknown>;
  /** Resolves when the function has ended. By then, any error has been sent to the client. */
  stream(name: string, event: APIGatewayProxyEventV2, open: OpenAnswer): Promise<void>;
  /** @returns the function's handler of plain HTTP, if it has one */
  web(name: string): ((...call: Parameters<WebHandler>) => Promise<unknown>) | undefined;
}

/** The module of a function. */
export interface FunctionModule {
  readonly handler?: Handler;
  readonly web?: WebHandler;
}

/**
 * Runs functions in this process; a process for each would cost four times as much. A function that throws or exceeds
 * its deadline answers as behind the gateway, with an error of this service. Calls above the limit wait for their turn;
 * streams do not, because they last long.
 * @param modules the functions by name
 * @param endpoints by the names of their functions; behind a function URL the function's own timeout applies
 * @param onEnd called after each call, also a failed one, with the event, on which the function stores the state
 */
export function hostFunctions(
  modules: ReadonlyMap<string, FunctionModule>,
  endpoints: ReadonlyMap<string, Pick<Endpoint, 'lambda'>>,
  onEnd: (event: Partial<ApiEvent>) => void = () => undefined,
): FunctionHost {
  const turns = new Turns(callsAtOnce);
  return {
    invoke: async (name, event, watchClient) => {
      if (!(await turns.begin(waitMillisecondsMax, watchClient))) return failureOf(new NoTurn(), newContext(name));
      const context = newContext(name);
      try {
        return await withinDeadline(handlerOf(modules, name)(event, context), deadlineMilliseconds);
      } catch (error) {
        return failureOf(error, context);
      } finally {
        turns.end();
        onEnd(event);
      }
    },
    stream: async (name, event, open) => {
      const { timeoutSeconds = 0 } = endpoints.get(name)?.lambda ?? {};
      const milliseconds = timeoutSeconds * 1_000 || deadlineMilliseconds;
      const context = newContext(name, milliseconds);
      const stream = new ResponseStream(open);
      // The consumer of the stream and the handler below get this error, too.
      stream.on('error', () => undefined);
      try {
        const handler = handlerOf(modules, name) as unknown as StreamingHandler;
        await withinDeadline(handler(event, stream, context), milliseconds);
        if (!stream.writableEnded) throw new Error('The function has not ended its answer.');
      } catch (error) {
        const { body, ...head } = failureOf(error, context);
        if (stream.isOpen) stream.destroy(error as Error);
        else open(head).end(body);
      } finally {
        onEnd(event);
      }
    },
    web: (name) => {
      const web = modules.get(name)?.web;
      return web && (async (request, response) => onEnd(await web(request, response)));
    },
  };
}

function handlerOf(modules: ReadonlyMap<string, FunctionModule>, name: string): Handler {
  const handler = modules.get(name)?.handler;
  if (!handler) throw new Error(`There is no function ${name}.`);
  return handler;
}

export function newContext(functionName: string, milliseconds = deadlineMilliseconds): LambdaContext {
  const deadline = Date.now() + milliseconds;
  return {
    awsRequestId: randomUUID(),
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

class NoTurn extends Error {
  override readonly message = 'Too many calls were running, so this one waited for its turn and did not begin.';
}

class DeadlinePassed extends Error {
  override readonly message = 'The function did not end before its deadline.';
}

async function withinDeadline<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  if (!(await settlesWithin(milliseconds, work))) throw new DeadlinePassed();
  return work;
}

function failureOf(error: unknown, { awsRequestId }: LambdaContext) {
  logError('A function ended with an error.', error);
  const isLate = error instanceof DeadlinePassed || error instanceof NoTurn;
  const { status, headers, body } = isLate
    ? errorAnswer(503, 'unavailable', 'The service did not answer in time; try again shortly.', awsRequestId)
    : errorAnswer(500, 'internal_error', 'Internal Server Error', awsRequestId);
  return { statusCode: status, headers, body: String(body) };
}

/** Marks a streaming handler for the runtime. */
const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');

/** The global `awslambda` of Lambda's runtime. */
const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, head: AnswerHead): ResponseStream => {
      // The runtime sends the head as JSON.
      stream.head = JSON.parse(JSON.stringify(head));
      return stream;
    },
  },
};

/** Loads all functions, with the globals of Lambda's runtime. */
export async function loadFunctions(): Promise<ReadonlyMap<string, FunctionModule>> {
  installRuntime();
  const load = async (name: string) => import(pathToFileURL(join(functionsFolder, name, 'handler.ts')).href);
  const names = await functionNames();
  return new Map(await Promise.all(names.map(async (name) => [name, await load(name)] as const)));
}

/** Defines the globals of Lambda's runtime. Call it before any function is loaded. */
export const installRuntime = (): void => void Object.assign(globalThis, { awslambda });

export const isStreaming = (handler: object): boolean => streaming in handler;

/** Limits how many tasks run at the same time. The others wait in their order. */
export class Turns {
  #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Waits until a task may run. Call `end` after the task.
   * @param watchClient called only for a task that must wait; the signal aborts when its client has left
   * @returns false after `milliseconds` without a turn, or when the client has left
   */
  async begin(milliseconds: number, watchClient?: () => AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const left = watchClient?.();
    if (left?.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const start = () => resolve(true);
    const giveUp = () => {
      this.#waiting = this.#waiting.filter((waiting) => waiting !== start);
      resolve(false);
    };
    this.#waiting.push(start);
    const timer = setTimeout(giveUp, milliseconds);
    left?.addEventListener('abort', giveUp);
    return promise.finally(() => {
      clearTimeout(timer);
      left?.removeEventListener('abort', giveUp);
    });
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
