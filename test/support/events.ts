import { createParser } from 'eventsource-parser';

/** The events of a stream, parsed. */
export function parseEvents(text: string): unknown[] {
  const events: unknown[] = [];
  createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) }).feed(text);
  return events;
}
