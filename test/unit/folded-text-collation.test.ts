import { describe, expect, it } from '@jest/globals';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { fc, runs } from '#test/support/fast-check.ts';

/** The root order of the Unicode Collation Algorithm at primary strength. */
const { compare } = new Intl.Collator('und', { sensitivity: 'base' });

/** What folding does on purpose otherwise, in a form that the algorithm compares so. */
const wanted: readonly (readonly [why: string, pattern: RegExp, text: string | ((match: string) => string)])[] = [
  ['the marks of kana make other letters', /\u3099/g, 'q'],
  ['the marks of kana make other letters', /\u309a/g, 'w'],
  ['a repetition with the mark of kana is another one', /[\u3032\u3034]/g, (kana) => `${kana}q`],
  [
    'small kana make other words, such as a hospital for a beauty salon',
    /[ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ]/g,
    (kana) => `${kana}z`,
  ],
  ['the breve of a Cyrillic i is left out', /й/g, 'и'],
  ['the breve of a Cyrillic i is left out', /\u0306/g, ''],
  ['every language shares the capital of dotless i', /ı/g, 'i'],
  ['thorn is spelled out', /þ/g, 'th'],
  ['the forms of alef are one letter', /[\u0671-\u0673]|\u0627[\u0653-\u0655]/g, '\u0627'],
  ['hamza is left out', /[\u0653-\u0655\u0674]/g, ''],
  ['the forms of yeh are one letter', /[\u0649\u06cc]/g, '\u064a'],
  ['the forms of kaf are one letter', /\u06a9/g, '\u0643'],
  ['teh marbuta is heh', /\u0629/g, '\u0647'],
  [
    'letters above others, of old books, are left out',
    /[\u0363-\u036f\u1abf\u1ac0\u1acc-\u1ace\u1dca\u1dd2-\u1df4\u2de0-\u2dff\ua674-\ua67b\ua69e\ua69f\u{1e08f}]/gu,
    '',
  ],
  ['a vowel that is typed before its consonant stays there', /[\u0e40-\u0e44\u0ec0-\u0ec4]/g, (vowel) => `${vowel}|`],
  ['a tone inside the vowel "am" is left out', /[\u0e48-\u0e4b\u0ec8-\u0ecb]/g, ''],
];
const asWanted = (text: string): string =>
  wanted.reduce<string>(
    (changed, [, pattern, replacement]) => changed.replace(pattern, replacement as string),
    text.normalize('NFKC').toLowerCase().normalize('NFD'),
  );
const isEqual = (one: string, other: string): boolean => compare(asWanted(one), asWanted(other)) === 0;

/** Letters that only scholars write. The algorithm compares each as another letter. */
const scholarly =
  /[\u0363-\u036f\u1ab0-\u1aff\u06e5\u06e6\u0712-\u072f\u0870-\u08ff\u1c80-\u1c8a\u1cd0-\u1cff\ua640-\ua69f\ua720-\ua7ff\ua8e0-\ua8fd\u1d00-\u1dff\u0180-\u024f\u0250-\u02ff\u0d4e]/u;
const planes = Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code)).filter((character) =>
  /[\p{L}\p{M}]/u.test(character),
);
const basic = planes.filter((character) => character.length === 1 && !scholarly.test(character));
const charactersOf = (script: string, kind: RegExp): string[] => {
  const member = new RegExp(`\\p{Script_Extensions=${script}}`, 'u');
  return basic.filter((character) => member.test(character) && kind.test(character));
};
const scripts = (
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Thaana Devanagari Bengali Gurmukhi Gujarati Oriya Tamil ' +
  'Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Javanese Balinese Hiragana Katakana Hangul'
).split(' ');

describe('folding compares letters as the Unicode Collation Algorithm does', () => {
  it.each(scripts)('in %s, for texts that differ in one place', (script) => {
    const letters = charactersOf(script, /\p{L}/u);
    const marks = charactersOf(script, /\p{M}/u);
    const character = fc.oneof(fc.constantFrom(...letters), fc.constantFrom(...letters, ...marks));
    const text = fc.array(character, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, fc.nat({ max: 4 }), fc.option(character, { nil: '' }), (one, at, instead) => {
        const other = one.with(at % one.length, instead).join('');
        return (foldText(one.join('')) === foldText(other)) === isEqual(one.join(''), other);
      }),
      runs(10_000),
    );
  });

  it.each(scripts)('in %s, for every letter beside every mark of the script', (script) => {
    const letters = charactersOf(script, /\p{L}/u).slice(0, 40);
    const marks = charactersOf(script, /\p{M}/u);
    const differing = letters.flatMap((letter) =>
      marks.filter((mark) => (foldText(letter + mark) === foldText(letter)) !== isEqual(letter + mark, letter)),
    );
    expect(differing).toEqual([]);
  });

  it('for every mark of every script', () => {
    const marks = planes.filter((character) => /\p{M}/u.test(character));
    expect(marks.filter((mark) => (foldText(`x${mark}`) === 'x') !== isEqual(`x${mark}`, 'x'))).toEqual([]);
  });

  it('finds a piece exactly where letters of the text equal it', () => {
    const samples =
      'หมูกรอบ หมี่กรอบ ข้าว น้ำ दाल दिल पनीर க்கெகொ கே 밥 바 비빔밥 ガス カス がっこう cafe café ÉΣΟΣ שלום كَبسة កង မုန့် ഹലൻ ছোট';
    const pieces = [...new Set(samples.normalize('NFC'))].filter((piece) => piece !== ' ' && foldText(piece) !== '');
    const found = (text: string, piece: string): boolean => {
      const letters = [...text];
      return letters.some((_, start) =>
        letters.some((__, end) => end >= start && isEqual(letters.slice(start, end + 1).join(''), piece)),
      );
    };
    const word = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }).map((some) => some.join(''));
    fc.assert(
      fc.property(word, word, fc.constantFrom('NFC', 'NFD'), (text, piece, form) => {
        fc.pre(foldText(piece) !== '');
        const isFound = foldText(text.normalize(form)).includes(foldText(piece));
        expect({ text, piece, isFound }).toEqual({ text, piece, isFound: found(text.normalize('NFC'), piece) });
      }),
      runs(10_000),
    );
  });
});

describe('a search finds a piece of a name', () => {
  it.each<[piece: string, name: string, why: string]>([
    ['cafe', 'Café', 'marks of Latin are left out'],
    ['smorrebrod', 'Smørrebrød', 'letters with a stroke count as those without'],
    ['weisse', 'Weiße Bohnen', 'joined letters count as two'],
    ['thorramatur', 'Þorramatur', 'thorn is spelled out'],
    ['dal', 'Đal', 'letters with a stroke count as those without'],
    ["o'brien", 'O’Brien', 'typographic apostrophes count as ASCII'],
    ["צ'יפס", 'צ׳יפס', 'the Hebrew apostrophe counts as ASCII'],
    ['coca-cola', 'Coca‑Cola', 'hyphens that do not break count as ASCII'],
    ['חלב', 'חָלָב', 'Hebrew points are left out'],
    ['שלומ', 'שלום', 'a Hebrew final letter counts as the letter'],
    ['كبسه', 'كَبْسَة', 'harakat are left out'],
    ['หมู', 'ข้าวหมูแดง', 'Thai has no blanks between words'],
    ['ขาว', 'ข้าว', 'tones of Thai are left out'],
    ['น้ำ', 'น\u0e4d\u0e49\u0e32ปลา', 'the vowel "am" has two spellings'],
    ['प', 'पनीर', 'a vowel sign is a letter of its own, so people find a word while they type it'],
    ['पनी', 'पनीर', 'a piece may end inside a word'],
    ['ज', 'ज़', 'the dot below that marks a foreign sound is left out'],
    ['ന്\u200d', 'ഹലൻ', 'a Malayalam consonant without a vowel has two spellings'],
    ['らーめん', 'ラーメン', 'both kinds of kana are used for the same words'],
    ['ｶﾞｽ', 'ガス', 'half-width kana count as full-width'],
    ['밥', '비빔밥', 'a syllable is found'],
    ['५', '5', 'digits of every script are digits'],
  ])('%s in %s: %s', (piece, name) => expect(foldText(name)).toContain(foldText(piece)));

  it.each<[piece: string, name: string, why: string]>([
    ['หมู', 'หมี่กรอบ', 'another vowel of Thai is another word'],
    ['ນາ', 'ນ້ຳ', 'another vowel of Lao is another word'],
    ['दाल', 'दिल बहार', 'another vowel of Devanagari is another word'],
    ['पन', 'पानी', 'no vowel sign is skipped'],
    ['மீன', 'மனை', 'another vowel of Tamil is another word'],
    ['கெ', 'கொடி', 'a vowel sign is not found by its first half'],
    ['ছেট', 'ছোট', 'a vowel sign is not found by its first half'],
    ['ពង', 'ពោង', 'no vowel of Khmer is skipped'],
    ['ကန်', 'ကိန်', 'no vowel of Burmese is skipped'],
    ['바', '밥', 'a syllable is not found by its beginning'],
    ['김', '기', 'a syllable does not match a shorter one'],
    ['カス', 'ガス', 'the marks of kana make other letters'],
    ['ハン', 'パン', 'the marks of kana make other letters'],
    ['びよういん', 'びょういん', 'small kana make other words'],
  ])('not %s in %s: %s', (piece, name) => expect(foldText(name)).not.toContain(foldText(piece)));
});
