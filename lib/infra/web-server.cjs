// Started by Lambda beside the bundle of a function that also takes plain HTTP.
'use strict';

const { createServer } = require('node:http');
const { web } = require('./index.js');

/** Longer than CloudFront keeps a connection open for the next request, so that it never meets a closed one. */
const keepAliveMilliseconds = 65_000;

// The variable is `host:port`, with or without a scheme.
const [, host, port] = /^(?:https?:\/\/)?\[?([^\]/]+?)\]?:(\d+)\/?$/.exec(process.env.AWS_LAMBDA_HTTP_ENDPOINT) ?? [];

const server = createServer({ keepAliveTimeout: keepAliveMilliseconds }, (request, response) => {
  web(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});
// Node alone would end every upload that takes longer than five minutes.
server.requestTimeout = 0;
server.listen(Number(port), host);
