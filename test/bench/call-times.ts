import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** From asking to answering, in milliseconds of one clock. */
export type CallTimes = readonly (readonly [from: number, to: number])[];

/**
 * Loaded into the service before it starts: notes when each of its HTTP calls began and was answered, and hands over
 * what it has noted when it is asked.
 */
let times: [number, number][] = [];
const begun = new WeakMap<object, number>();

subscribe('http.client.request.created', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  // Of the local run's own look at what has changed in the table, no request is the cause.
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
// The service ends when it wants to, not when nobody asks any more.
process.channel?.unref();
