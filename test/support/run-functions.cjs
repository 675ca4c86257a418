// Plain JavaScript, so that a start does not include the removal of types from this file.
'use strict';

const { once } = require('node:events');
const { createServer } = require('node:http');
const { Writable } = require('node:stream');

const streaming = Symbol('streaming');

/** The part of Lambda's runtime for functions with a streamed answer. */
globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [streaming]: true }),
  HttpResponseStream: { from: (stream, head) => Object.assign(stream, { head }) },
};

/** Runs bundled functions as the Lambda runtime does, until it is killed. A reply has the id of its message. */
process.on('message', async ({ id, file, event }) => {
  const { handler, web } = require(file);
  const context = { awsRequestId: `event-${id}`, getRemainingTimeInMillis: () => 60_000 };
  const run = () => (handler[streaming] ? collected(handler, event, context) : handler(event, context));
  try {
    process.send({ id, result: (await (event ? run() : serve(web))) ?? null });
  } catch (error) {
    process.send({ id, failure: String(error) });
  }
});

/** Runs a function to the end of its streamed answer. @returns the answer, with a text as its body */
async function collected(handler, event, context) {
  const pieces = [];
  const stream = new Writable({
    write: (piece, _, done) => {
      pieces.push(piece);
      done();
    },
  });
  await handler(event, stream, context);
  return { ...stream.head, body: Buffer.concat(pieces).toString() };
}

/** Serves requests over plain HTTP. @returns the port */
async function serve(web) {
  const server = createServer((request, response) => void web(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}
process.on('disconnect', () => process.exit(0));
