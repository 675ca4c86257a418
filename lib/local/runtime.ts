import type { AnswerHead, ResponseStream } from './response-stream.ts';

/** Says to the runtime that a function takes a stream to answer into. */
const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');

/** The global `awslambda` that Lambda's runtime offers to functions. */
const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: {
    from: (stream: ResponseStream, head: AnswerHead): ResponseStream => {
      stream.setContentType();
      // It travels as JSON.
      stream.head = JSON.parse(JSON.stringify(head));
      return stream;
    },
  },
};

/** Offers what functions expect of their runtime; it has to happen before any function is loaded. */
export const installRuntime = (): void => void Object.assign(globalThis, { awslambda });

export const isStreaming = (handler: object): boolean => streaming in handler;
