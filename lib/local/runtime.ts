import type { AnswerHead, ResponseStream } from './response-stream.ts';

/** Marks a streaming handler for the runtime. */
const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');

/** The global `awslambda` of Lambda's runtime. */
const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, head: AnswerHead): ResponseStream => {
      stream.setContentType();
      // The runtime sends the head as JSON.
      stream.head = JSON.parse(JSON.stringify(head));
      return stream;
    },
  },
};

/** Defines the globals of Lambda's runtime. Call it before any function is loaded. */
export const installRuntime = (): void => void Object.assign(globalThis, { awslambda });

export const isStreaming = (handler: object): boolean => streaming in handler;
