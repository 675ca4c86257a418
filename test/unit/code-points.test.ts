import { describe, expect, it } from '@jest/globals';
import { compareCodePoints } from '#lib/domain/text/code-points.ts';
import { fc, runs } from '#test/support/fast-check.ts';

const points = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0);

/** The definition: the first different code point decides, else the length. */
function compareByDefinition(a: string, b: string): number {
  const left = points(a);
  const right = points(b);
  const place = left.findIndex((point, index) => point !== right[index]);
  return place === -1 ? left.length - right.length : (left[place] ?? 0) - (right[place] ?? -1);
}

describe('comparison by code point', () => {
  it('puts texts in the order of their code points, shorter ones first', () => {
    const inOrder = [
      '',
      '-',
      '0',
      '10',
      '2',
      'A',
      'B',
      '_',
      'a',
      'a-',
      'aa',
      'b',
      'é',
      'ش',
      '\ufb8f',
      '\uff21',
      '𐐀',
      '𐐨a',
      '🍋',
    ];
    expect(inOrder.toReversed().sort(compareCodePoints)).toEqual(inOrder);
  });

  it.each([
    ['\uff21', '𐐀'],
    ['\ufb8f', '🍋'],
    ['a\uffff', 'a\u{10000}'],
    ['\ud7ff', '\ue000'],
    ['\ue000', '\u{10000}'],
    ['𐐀\uff21', '𐐀𐐀'],
    ['𐐀', '𐐁'],
    ['𐐀', '𐐀a'],
    ['\u{103ff}', '\u{10400}'],
  ])('%j is before %j', (a, b) => {
    expect(compareCodePoints(a, b)).toBeLessThan(0);
    expect(compareCodePoints(b, a)).toBeGreaterThan(0);
  });

  it('finds equal texts equal, and only those', () => {
    expect(compareCodePoints('', '')).toBe(0);
    expect(compareCodePoints('a🍋', 'a🍋')).toBe(0);
    expect(compareCodePoints('e\u0301', 'é')).not.toBe(0);
  });

  it('is by the book for any two texts', () => {
    const unit = fc.constantFrom('a', 'b', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}', '𐐀');
    const text = fc.string({ unit, maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) =>
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(compareByDefinition(a, b))),
      ),
      runs(5_000),
    );
  });
});
