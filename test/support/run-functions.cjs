// Plain JavaScript, so that a start pays for the functions and not for the types of this file.
'use strict';

const { once } = require('node:events');
const { createServer } = require('node:http');

/** Runs bundled functions as the Lambda runtime would, until it is killed. A reply has the id of its message. */
process.on('message', async ({ id, file, event }) => {
  const { handler, web } = require(file);
  const context = { awsRequestId: `event-${id}`, getRemainingTimeInMillis: () => 60_000 };
  try {
    process.send({ id, result: (await (event ? handler(event, context) : serve(web))) ?? null });
  } catch (error) {
    process.send({ id, failure: String(error) });
  }
});

/** Takes requests over plain HTTP. @returns the port they come in at */
async function serve(web) {
  const server = createServer((request, response) => void web(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}
process.on('disconnect', () => process.exit(0));
