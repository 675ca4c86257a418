// Preloaded into the emulator's Node workers, which do not stream: offers what Lambda's runtime offers to functions that
// do, gathers the answer, and hands it over as one text in the framing of a streamed answer. Deadlines are on a clock
// that a busy machine does not rush.
'use strict';

require('../support/install-worked-time.ts');

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
