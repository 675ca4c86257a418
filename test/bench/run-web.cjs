// Plain JavaScript, so that the memory does not include the removal of types from this file.
'use strict';

const { createServer } = require('node:http');

const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: {
    from: (response, { statusCode, headers }) => response.writeHead(statusCode, headers),
  },
};

/**
 * Serves the plain HTTP side of a bundled function, as a Lambda web function or the function URL of a streaming
 * function does.
 */
const { web = stream, handler } = require(process.argv[2]);

const server = createServer((request, response) => void web(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));

function stream({ method, url, headers }, response) {
  const event = {
    rawPath: url,
    rawQueryString: '',
    headers,
    requestContext: { http: { method, sourceIp: '127.0.0.1' } },
  };
  return handler(event, response, { awsRequestId: 'bench', getRemainingTimeInMillis: () => 60_000 });
}
