import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The start and the end of a call, in milliseconds of one clock. */
export type CallTimes = readonly (readonly [from: number, to: number])[];

/**
 * A module that is loaded before the service. It records when each HTTP call began and ended, and sends the list on
 * request.
 */
let times: [number, number][] = [];
const begun = new WeakMap<object, number>();

subscribe('http.client.request.created', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  // The local run polls the table by itself. No request causes these calls.
  if (!String(request.getHeader('x-amz-target')).startsWith('DynamoDBStreams_')) begun.set(request, performance.now());
});
subscribe('http.client.response.finish', (message) => {
  const from = begun.get((message as { readonly request: object }).request);
  if (from !== undefined) times.push([from, performance.now()]);
});

process.on('message', () => {
  process.send?.(times);
  times = [];
});
// The message channel must not keep the process alive.
process.channel?.unref();
