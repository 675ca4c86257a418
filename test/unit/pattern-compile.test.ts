import { describe, expect, it } from '@jest/globals';
import { compilePattern, type Pattern } from '#lib/patterns/compile.ts';
import { fc, runs } from '#test/support/fast-check.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';

function compiled(source: string): Pattern {
  const result = compilePattern(source);
  if ('refusal' in result) throw new Error(result.refusal);
  return result.pattern;
}

describe('a pattern', () => {
  it.each<[string, string, boolean]>([
    ['a|ab', 'ab', true],
    ['b', 'abc', false],
    ['^b$', 'b', true],
    ['a.c', 'a\u2028c', false],
    ['(?s:a.c)', 'a\nc', true],
    ['(?s:a)b.c', 'ab\nc', false],
    ['(?s:a(b.)(?-s:.))', 'ab\n\n', false],
    ['\\s', '\u00a0', true],
    ['\\S', '\u00a0', false],
    ['[^\\S\\n]+', '\t\u3000', true],
    ['[\\s\\S]*', 'a\nb', true],
    ['[[:alpha:]]', 'b', false],
    ['[[:alpha:]]', 'a]', true],
    ['\\Aa', 'Aa', true],
    ['\\Qa', 'Qa', true],
    ['[\\w-.]+', 'a-b.c', true],
    ['[a\\-z]', 'b', false],
    ['[\\b]', '\b', true],
    ['\\bmenu\\b', 'menu', true],
    ['[]', '', false],
    ['[^]', '\n', true],
    ['a{,2}', 'a{,2}', true],
    ['a{1,2}', 'aa', true],
    ['^.$', '🍋', true],
    ['\\ud83c\\udf4b', '🍋', true],
    ['[\\ud83c\\udf4b-\\u{1F34C}]', '🍌', true],
    ['(?<day>\\d{2})/(?<month>\\d{2})', '31/12', true],
    ['(?<a>x)|(?<a>y)', 'y', true],
    ['\\p{Script=Arabic}+', 'مطعم', true],
    ['[\\p{L}\\p{M} ]{2,40}', 'Crème brûlée', true],
    ['\\P{Lu}', 'A', false],
    ['\\cJ\\x41\\u0042\\0', '\nAB\0', true],
    ['\\/\\.', '/.', true],
    ['(?i:saffron)', 'SAFFRON', true],
    ['', '', true],
    ['', 'a', false],
  ])('%s matches %j: %s', (source, value, matches) => {
    expect(compiled(source).matches(value)).toBe(matches);
  });

  it.each<[string, RegExp]>([
    ['(', /no pattern in JavaScript's syntax \(unterminated group\)/],
    ['a**', /no pattern in JavaScript's syntax/],
    ['(?P<a>x)', /no pattern in JavaScript's syntax/],
    ['(?=a)', /looks ahead or behind/],
    ['(?!a)', /looks ahead or behind/],
    ['(?<=a)b', /looks ahead or behind/],
    ['(?<!a)b', /looks ahead or behind/],
    ['(a)\\1', /refers back/],
    ['(?<a>x)\\k<a>', /refers back/],
    ['\\012', /its \\0 stands for no one character/],
    ['[\\c1]', /its \\c stands for no one character/],
    ['\\p{Emoji}', /Unicode properties/],
    ['\\p{Arabic}', /not known to JavaScript/],
    ['a{1001}', /repeat count/],
    ['(?:a{100}){30}', /repeat count/],
    ['a{1000}a{1000}', /2002 instructions, more than 2000/],
    ['x'.repeat(3_000), /more than 2000/],
  ])('%.30s is refused with a reason', (source, reason) => {
    expect(compilePattern(source)).toEqual({ refusal: expect.stringMatching(reason) });
  });

  it.each([
    ['(a+)+$', `${'a'.repeat(999)}b`],
    ['(?:a|aa)+', `${'a'.repeat(999)}b`],
    ['(.*)=(.*);(.*)', '='.repeat(1_000)],
    ['(?:x+x+)+y', 'x'.repeat(1_000)],
    ['(?:[a-z]{0,20}[0-9a-z]{0,20}){0,20}!', 'a1'.repeat(500)],
  ])('%s cannot stall the service', async (source, value) => {
    const pattern = compiled(source);
    expect(await computedMilliseconds(() => pattern.matches(value))).toBeLessThan(10_000);
  });

  it('matches the same texts as the JavaScript engine', () => {
    const atom = fc.constantFrom(
      ...'a b c 0 . \\s \\S \\w \\W \\d \\D [a-c] [^a] [\\s0] [^\\w-] \\u{1F34B} \\n \\{ [\\]] é'.split(' '),
    );
    const piece = fc
      .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{1,2}', '*?', '+?'))
      .map((parts) => parts.join(''));
    const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
      pattern: fc
        .array(fc.oneof({ weight: 4, arbitrary: piece }, tie('group')), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join('')),
      group: fc
        .tuple(fc.constantFrom('(', '(?:', '(?s:'), tie('pattern'), tie('pattern'), fc.constantFrom(')', ')?', ')*'))
        .map(([open, left, right, close]) => `${open}${left}|${right}${close}`),
    }));
    const value = fc.string({ unit: fc.constantFrom(...'abc0 \n\r\u2028\u00a0é🍋{]-_'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, fc.array(value, { minLength: 5, maxLength: 5 }), (source, values) => {
        const native = new RegExp(`^(?:${source})$`, 'u');
        const own = compiled(source);
        for (const text of values) expect(own.matches(text)).toBe(native.test(text));
      }),
      runs(2_000),
    );
  });
});
