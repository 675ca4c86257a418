import { describe, expect, it } from '@jest/globals';
import { codesContaining, foldedColumn } from '#lib/cms/query/matches.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { fc, runs } from '#test/support/fast-check.ts';

/** The positions of the values that contain a piece, from 1. */
const found = (values: readonly string[], piece: string): number[] => {
  const codes = codesContaining(foldedColumn(values.map(foldText)), foldText(piece));
  return [...codes.keys()].filter((code) => codes[code] === 1);
};

describe('a search in a column', () => {
  it.each<[string, string[], string, number[]]>([
    ['finds a piece at the start, inside and at the end', ['lamb rice', 'a lamb', 'slambs'], 'lamb', [1, 2, 3]],
    ['finds a value once that has the piece twice', ['lamb lamb', 'rice', 'lamb'], 'lamb', [1, 3]],
    ['finds nothing across two values', ['la', 'mb', 'la mb'], 'lamb', []],
    ['finds nothing across two values with a soft hyphen', ['la', 'mb'], 'la\u00admb', []],
    ['finds Arabic in any spelling', ['كبسة لحم', 'lamb', 'كَبسه'], 'كبسة', [1, 3]],
    ['finds the empty piece in every value, also in empty ones', ['\u0640', 'a', '\u0640'], '\u0640', [1, 2, 3]],
    ['finds nothing longer than a value', ['a', 'b'], 'abc', []],
    ['finds nothing without values', [], 'a', []],
  ])('%s', (_, values, piece, codes) => expect(found(values, piece)).toEqual(codes));

  it('finds the same values as a comparison of each value', () => {
    const unit = fc.constantFrom('a', 'b', 'A', ' ', '\n', '\u0000', '\u00ad', '\u0640', 'é', 'ة', 'ه', '𐐀');
    const texts = fc.array(fc.string({ unit, maxLength: 6 }), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.string({ unit, maxLength: 3 }), (values, piece) => {
        const matching = values.flatMap((value, index) =>
          foldText(value).includes(foldText(piece)) ? [index + 1] : [],
        );
        expect(found(values, piece)).toEqual(matching);
      }),
      runs(2_000),
    );
  });
});
