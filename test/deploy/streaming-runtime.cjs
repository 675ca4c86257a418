// Preloaded into the emulator's Node workers, which do not stream. It has the streaming functions of Lambda's runtime,
// collects the answer, and returns it as one text in the framing of a streamed answer. Deadlines use a clock that
// allows for a busy machine.
'use strict';

require('../support/install-load-tolerant-clock.ts');

const { Writable } = require('node:stream');

const preludeEnd = '\0'.repeat(8);

class Gathered extends Writable {
  #chunks = [];

  setContentType() {}

  _write(chunk, _encoding, done) {
    this.#chunks.push(chunk);
    done();
  }

  text(head) {
    return JSON.stringify(head) + preludeEnd + Buffer.concat(this.#chunks).toString('utf8');
  }
}

const heads = new WeakMap();

globalThis.awslambda = {
  streamifyResponse: (handler) => async (event, context) => {
    const stream = new Gathered();
    await handler(event, stream, context);
    return stream.text(heads.get(stream) ?? { statusCode: 200, headers: {} });
  },
  HttpResponseStream: {
    from: (stream, head) => {
      heads.set(stream, head);
      return stream;
    },
  },
};
