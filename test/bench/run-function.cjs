// Plain JavaScript, so that the start does not include the removal of types from this file.
'use strict';

const { readFileSync, writeSync } = require('node:fs');

/** Loads a bundled function as the Lambda runtime does, and runs it for each event of a file, one event per line. */
const [bundle, eventsFile] = process.argv.slice(2);
const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: { from: (stream, head) => Object.assign(stream, { head }) },
};
const { handler } = require(bundle);

async function answer(event, context) {
  if (!handler[streaming]) return handler(event, context);
  const { Writable } = require('node:stream');
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  await handler(event, stream, context);
  return stream.head;
}

(async () => {
  for (const line of readFileSync(eventsFile, 'utf8').split('\n')) {
    const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 10_000 };
    // No variable holds the event, because the data of its request would stay in memory.
    const { statusCode } = await answer(JSON.parse(line), context);
    const { user, system } = process.cpuUsage();
    writeSync(1, `answered ${statusCode} ${(user + system) / 1_000}\n`);
  }
  // `resourceUsage` would include the peak of the parent's program.
  writeSync(1, `peak ${/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]} kB\n`);
  process.exit(0);
})();
