import { describe, expect, it } from '@jest/globals';
import { nextDelta, type SentText } from '#lib/messaging/pace.ts';
import { fc } from '#test/support/fast-check.ts';

interface Delta {
  readonly at: number;
  readonly from: number;
  readonly end: number;
  readonly isLast: boolean;
}

/** A reader with a virtual clock. Each piece arrives at its time, and the last one completes the text. */
function read(pieces: readonly { readonly after: number; readonly text: string }[]): Delta[] {
  const deltas: Delta[] = [];
  let sent: SentText = { length: 0, at: Number.NEGATIVE_INFINITY };
  let text = '';
  let now = 0;
  const readUntil = (end: number, isComplete: boolean): void => {
    for (;;) {
      const pace = nextDelta(text, sent, now, isComplete);
      if ('end' in pace) {
        deltas.push({ at: now, from: sent.length, end: pace.end, isLast: isComplete });
        sent = { length: pace.end, at: now };
      } else if (now + pace.wait < end) now += pace.wait;
      else return;
    }
  };
  for (const [index, piece] of pieces.entries()) {
    readUntil(now + piece.after, false);
    now = pieces.slice(0, index + 1).reduce((sum, { after }) => sum + after, 0);
    text += piece.text;
  }
  readUntil(now, true);
  return deltas;
}

const paced = fc.array(fc.record({ after: fc.nat(400), text: fc.string({ unit: 'binary', maxLength: 40 }) }));

describe('deltas', () => {
  it('are the text, whole and in order', () => {
    fc.assert(
      fc.property(paced, (pieces) => {
        const deltas = read(pieces);
        const length = pieces.reduce((sum, { text }) => sum + text.length, 0);
        expect(deltas.at(-1)?.end ?? 0).toBe(length);
        for (const [index, { from, end }] of deltas.entries()) {
          expect(from).toBe(deltas[index - 1]?.end ?? 0);
          expect(end).toBeGreaterThan(from);
        }
      }),
    );
  });

  it('are at least 40 ms apart, and add 2 % or come after 250 ms', () => {
    fc.assert(
      fc.property(paced, (pieces) => {
        const deltas = read(pieces);
        for (const [index, { at, from, end, isLast }] of deltas.entries()) {
          const before = deltas[index - 1];
          if (!before || isLast) continue;
          expect(at - before.at).toBeGreaterThanOrEqual(40);
          expect(end - from >= 0.02 * from || at - before.at >= 250).toBe(true);
        }
      }),
    );
  });

  it('hold nothing back for more than 250 ms', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), (times) => {
        const deltas = read(times.map((after) => ({ after, text: 'x' })));
        let arrived = 0;
        for (const [index, after] of times.entries()) {
          arrived += after;
          const sent = deltas.find(({ end }) => end > index);
          expect((sent?.at ?? Number.POSITIVE_INFINITY) - arrived).toBeLessThanOrEqual(250);
        }
      }),
    );
  });

  it('never end between the halves of a pair, wherever the pieces were cut', () => {
    const halves = fc.string({ unit: 'grapheme-composite' }).map((text) => [...`${text}😀`].join('').split(''));
    fc.assert(
      fc.property(halves, fc.nat(60), (units, after) => {
        const text = units.join('');
        for (const { end } of read(units.map((unit) => ({ after, text: unit })))) {
          expect(text.slice(0, end).isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('cost less than 150 times a reply of 2,000 tokens at 30 tokens a second', () => {
    const deltas = read(Array.from({ length: 2_000 }, () => ({ after: 33, text: 'abcd' })));
    const bytes = deltas.reduce((sum, { from, end }) => sum + end + (end - from) + 45, 0);
    expect(bytes / 8_000).toBeLessThan(150);
  });
});

it('the first delta and the last wait for nothing', () => {
  expect(nextDelta('a', { length: 0, at: Number.NEGATIVE_INFINITY }, 0, false)).toEqual({ end: 1 });
  expect(nextDelta('ab', { length: 1, at: 5 }, 6, true)).toEqual({ end: 2 });
});
