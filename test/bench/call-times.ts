import { subscribe } from 'node:diagnostics_channel';

/** From asking to answering, in milliseconds of one clock. */
export type CallTimes = readonly (readonly [from: number, to: number])[];

/**
 * Loaded into the service before it starts: notes when each of its HTTP calls began and was answered, and hands over
 * what it has noted when it is asked.
 */
let times: [number, number][] = [];
const begun = new WeakMap<object, number>();

subscribe('http.client.request.created', (message) => {
  begun.set((message as { readonly request: object }).request, performance.now());
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
