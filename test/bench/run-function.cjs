// Plain JavaScript, so that a start pays for the function and not for the types of this file.
'use strict';

const { readFileSync, writeSync } = require('node:fs');

/** Loads a bundled function as the Lambda runtime would, and hands it the events of a file, one a line, in turn. */
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
    // Nobody else holds the event: everything that was read for a request would stay in memory with it.
    const { statusCode } = await answer(JSON.parse(line), context);
    const { user, system } = process.cpuUsage();
    writeSync(1, `answered ${statusCode} ${(user + system) / 1_000}\n`);
  }
  // Not the peak that the kernel counts for a process, which begins with that of the program it was forked from.
  writeSync(1, `peak ${/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]} kB\n`);
  process.exit(0);
})();
