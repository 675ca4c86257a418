import { describe, expect, it } from '@jest/globals';
import { foldedWords, foldText } from '#lib/domain/text/folded-text.ts';
import { fc, runs } from '#test/support/fast-check.ts';

const alef = '\u0627';
const yeh = '\u064a';

describe('folding', () => {
  it.each<[string, string, string]>([
    ['nothing', '', ''],
    ['case', 'Lamb KABSA', 'lamb kabsa'],
    ['signs, not at all', '100% "Best" (new)', '100% "best" (new)'],
    ['accents', 'Crème Brûlée ÅÑ', 'creme brulee an'],
    ['accents of their own', 'e\u0301\u0323', 'e'],
    ['full-width letters and digits', 'ＡＢ１', 'ab1'],
    ['ligatures', 'ﬁ ﷲ', 'fi \u0627\u0644\u0644\u0647'],
    ['superscripts, circled and Roman numbers', 'x² ① Ⅳ', 'x2 1 iv'],
    ['units', '℃ ㎏', '°c kg'],
    ['blanks of other kinds', 'a\u00a0b\u2003c\u3000d', 'a b c d'],
    ['a capital dotted i', 'İ', 'i'],
    ['every i of Turkish, and a mathematical one', 'Iı İi \ud835\udea4', 'ii ii i'],
    ['joined letters', 'ẞß Æœ ŀl', 'ssss aeoe ll'],
    ['letters with a stroke', 'øłđħ', 'oldh'],
    ['letters that English once had', 'ÐðÞþ', 'ddthth'],
    ['typographic apostrophes, quotation marks and hyphens', '‘a’ʼ “b” ‐‑', `'a'' "b" --`],
    ['sigma at the end of a word', 'ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['letters beyond the basic plane', '𐐀', '𐐨'],
    ['Cyrillic', 'ЁЙ', 'еи'],
    ['kana, without their marks', 'がガｶﾞか', 'ガガガカ'],
    ['a syllable of Hangul in parts', '\u1107\u1161\u11b8', '밥'],
    ['vowel signs of Thai and Hindi, but tones and dots below', 'หมี่ ज़ी', 'หมี जी'],
    ['alef with madda, hamza above and below', '\u0622\u0623\u0625', alef.repeat(3)],
    ['alef wasla, with wavy hamzas and high hamza', '\u0671\u0672\u0673\u0675', alef.repeat(4)],
    ['alef maksura and Farsi yeh', '\u0649\u06cc', yeh.repeat(2)],
    ['hamza on waw and yeh', '\u0624\u0626', '\u0648\u064a'],
    ['keheh', '\u06a9', '\u0643'],
    ['teh marbuta', '\u0629', '\u0647'],
    ['harakat', '\u0643\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0670', '\u0643'],
    ['tatweel', '\u0634\u0640\u0640\u0627', '\u0634\u0627'],
    ['presentation forms', '\ufe8e\ufef0\ufe94\ufb8f', '\u0627\u064a\u0647\u0643'],
    ['lam-alef in one', '\ufefb\ufef7', '\u0644\u0627\u0644\u0627'],
    ['bidi characters', '\u200ea\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061c', 'a'],
    ['zero-width characters', 'a\u200b\u200c\u200d\u2060\ufeffb\u00ad', 'ab'],
    ['Arabic-Indic digits', '٠١٢٣٤٥٦٧٨٩', '0123456789'],
    ['Persian digits', '۰۱۲۳۴۵۶۷۸۹', '0123456789'],
    ['digits of other scripts', '०९ ๑๒ ၃ 𑛐𑛚𑛣', '09 12 3 009'],
  ])('%s', (_, text, folded) => expect(foldText(text)).toBe(folded));

  it('leaves letters alone that only look alike', () => {
    expect(foldText('\u0647\u062f\u0631')).toBe('\u0647\u062f\u0631');
    expect(foldText('ŋəɨ')).toBe('ŋəɨ');
  });

  it('folding a folded text changes nothing', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(text, (any) => expect(foldText(foldText(any))).toBe(foldText(any))),
      runs(5_000),
    );
  });

  it('is the same for a text in any normal form', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u0675', '\u0671', 'ﬁ', 'İ', 'Σ'),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    );
    const text = fc.string({ unit, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (any, form) =>
        expect(foldText(any.normalize(form))).toBe(foldText(any)),
      ),
      runs(2_000),
    );
  });

  it('the folded form of a word is a part of that of every text with the word in it', () => {
    const word = fc.constantFrom('ΟΔΟΣ', 'Crème', 'كَبْسَة', 'İ', 'Işık', 'ガ', '밥', 'หมี่', 'दाल', 'x');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), word, (before, last) => {
        expect(foldText([...before, last].join(''))).toContain(foldText(last));
        expect(foldText([last, ...before].join(''))).toContain(foldText(last));
      }),
    );
  });
});

describe('the words of a search', () => {
  it.each<[string, string[]]>([
    ['', []],
    [' \t\n\u00a0\u3000\u2028', []],
    ['\u200b \u0640 \u064e', []],
    [' Mint  tea\u2003شـاي\n', ['mint', 'tea', '\u0634\u0627\u064a']],
    ['la\u200bmb', ['lamb']],
    ['tea tea', ['tea', 'tea']],
    ['a-b c&d', ['a-b', 'c&d']],
  ])('the words of a search of %j', (search, words) => expect(foldedWords(search)).toEqual(words));
});
