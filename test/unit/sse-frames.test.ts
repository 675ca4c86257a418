import { describe, expect, it } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import type { ReplyEvent } from '#lib/messaging/reply-event.ts';
import { eventFrame, pingFrame } from '#lib/messaging/stream-reply.ts';
import { fc } from '#test/support/fast-check.ts';

const anyText = fc.string({ unit: 'binary' });
const events: fc.Arbitrary<ReplyEvent> = fc.oneof(
  fc.record({ type: fc.constant('delta' as const), delta: anyText, text: anyText }),
  fc.record({ type: fc.constant('done' as const), messageId: anyText, text: anyText }),
  fc.record({ type: fc.constant('error' as const), error: anyText }),
);

function parsed(frames: string): unknown[] {
  const data: unknown[] = [];
  createParser({ onEvent: (event) => data.push(JSON.parse(event.data)) }).feed(frames);
  return data;
}

/** Every character that ends a line for some line readers, such as Python's `splitlines`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about these characters.
const lineEnds = /\r\n|[\n\r\v\f\x1c-\x1e\u0085\u2028\u2029]/;

describe('a frame', () => {
  it('is one line of data and a blank one, for every reader of lines', () => {
    fc.assert(
      fc.property(events, (event) => {
        const [line = '', ...rest] = eventFrame(event).split(lineEnds);
        expect(line.startsWith('data: {')).toBe(true);
        expect(rest).toEqual(['', '']);
      }),
    );
  });

  it('contains its event, in exactly these members', () => {
    fc.assert(
      fc.property(fc.array(events), (sent) => {
        expect(parsed(sent.map(eventFrame).join(pingFrame))).toEqual(sent);
      }),
    );
  });

  it('escapes what ends a line only to some', () => {
    expect(eventFrame({ type: 'error', error: 'a\u0085b\u2028c\u2029d\n' })).toBe(
      'data: {"type":"error","error":"a\\u0085b\\u2028c\\u2029d\\n"}\n\n',
    );
  });
});

it('a ping is a comment', () => {
  expect(pingFrame).toBe(': ping\n\n');
  expect(parsed(pingFrame)).toEqual([]);
});
