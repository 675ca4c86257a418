import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Bundle } from '../bundle.ts';

/** One second less than the gateway waits. */
const deadlineMilliseconds = 29_000;

type Handler = (event: APIGatewayProxyEventV2, context: LambdaContext) => Promise<unknown>;

/** What Node 24's runtime hands a function; the callbacks of older runtimes are gone. */
type LambdaContext = Omit<Context, 'callbackWaitsForEmptyEventLoop' | 'done' | 'fail' | 'succeed'>;

/** Runs functions by name and answers with what they return. */
export interface FunctionHost {
  invoke(name: string, event: APIGatewayProxyEventV2): Promise<unknown>;
}

/**
 * Loads every bundle into this process, which costs a quarter of a process for each. A function that throws or does
 * not end in time answers like one behind the gateway, in the words of this service.
 */
export function loadFunctions(bundles: readonly Bundle[]): FunctionHost {
  const handlers = new Map(bundles.map((bundle) => [bundle.name, loadHandler(bundle)]));
  return {
    invoke: async (name, event) => {
      const handler = handlers.get(name);
      if (!handler) throw new Error(`There is no function ${name}.`);
      const context = newContext(name);
      try {
        return await withinDeadline(handler(event, context));
      } catch (error) {
        console.error(error);
        return error instanceof DeadlinePassed
          ? failure(context, 503, 'unavailable', 'The service did not answer in time; try again shortly.')
          : failure(context, 500, 'internal_error', 'Internal Server Error');
      }
    },
  };
}

function loadHandler({ name, file }: Bundle): Handler {
  const { handler } = createRequire(import.meta.url)(file) as { handler?: Handler };
  if (typeof handler !== 'function') throw new Error(`functions/${name}/handler.ts must export \`handler\`.`);
  return handler;
}

function newContext(functionName: string): LambdaContext {
  const deadline = Date.now() + deadlineMilliseconds;
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

class DeadlinePassed extends Error {
  override readonly message = 'The function did not end before its deadline.';
}

async function withinDeadline(work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed()), deadlineMilliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function failure({ awsRequestId }: LambdaContext, statusCode: number, code: string, message: string) {
  return {
    statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': awsRequestId,
      ...(statusCode === 503 && { 'retry-after': '1' }),
    },
    body: JSON.stringify({ message, code }),
  };
}
