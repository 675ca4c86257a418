import { describe, expect, it } from '@jest/globals';
import { idsOf, pageOf, product, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const names: Record<string, object> = {
  kabsa: { en: 'Lamb Kabsa', ar: 'كَبْسَة لحم الضأن' },
  creme: { en: 'Crème Brûlée', ar: 'كريم بروليه' },
  tea: { en: 'Mint tea', ar: 'شـــاي بالنعناع' },
  combo: { en: 'Combo ٣ for two', ar: 'وجبة ۲۵' },
  wide: { en: 'Ｓｕｓｈｉ ﬁsh ①' },
  alef: { ar: 'أرز إيطالي آسيوي ٱلبيت' },
  yeh: { ar: 'حلوى یزدی', en: 'Sweet' },
  arabicOnly: { ar: 'قهوة' },
  german: { en: 'Käse-Spätzle & Soße' },
  hidden: { en: 'Soup\u200bBowl \u202eEvil\u202c so\u00adft' },
  turkish: { en: 'İskender KEBAP', ar: 'Işıltılı TATLI' },
  greek: { en: 'ΟΔΟΣ και ΣΟΦΟΣ' },
  signs: { en: '100% "Best" (new) a.c *' },
  astral: { en: '𐐀𐐁 🍋 lemon' },
  porkOfThai: { en: 'หมูกรอบ' },
  noodlesOfThai: { en: 'หมี่กรอบ' },
  lentils: { en: 'दाल मखनी' },
  heart: { en: 'दिल बहार' },
  gas: { en: 'ガスコンロ' },
  draff: { en: 'カスタード' },
  rice: { en: '비빔밥' },
  barbecue: { en: '바비큐' },
};
const { keys } = await openWorkspace(
  'kitchen',
  withProducts([
    ...Object.entries(names).map(([id, name]) => product(id, { name })),
    product('unnamed', { slug: 'kabsa-by-slug', intro: { en: 'kabsa' }, name: { en: 'Rice' } }),
  ]),
);
const found = async (search: string) => (await idsOf('products', keys.reader, { search })).sort();

describe('a search finds', () => {
  it.each<[string, string, string[]]>([
    ['a word', 'Lamb', ['kabsa']],
    ['a word in another letter case', 'lAMB kABSA', ['kabsa']],
    ['the beginning of a word', 'kab', ['kabsa']],
    ['the middle of a word', 'abs', ['kabsa']],
    ['the end of a word', 'bsa', ['kabsa']],
    ['words in any order', 'kabsa lamb', ['kabsa']],
    ['a repeated word', 'tea tea', ['tea']],
    ['words with spaces of all kinds between and around', ' \tmint\u00a0\u2003\u3000tea\n', ['tea']],
    ['words in different languages', 'kabsa لحم', ['kabsa']],
    ['words in different languages, and parts of them', 'ضأ amb', ['kabsa']],
    ['a name in one language only', 'قهوه', ['arabicOnly']],
    ['Latin letters without their accents', 'creme brulee', ['creme']],
    ['Latin letters with other accents', 'CRÉMÉ', ['creme']],
    ['Latin letters with combining accents', 'Cre\u0300me', ['creme']],
    ['plain letters by accented ones', 'lámb', ['kabsa']],
    ['umlauts', 'spatzle kase', ['german']],
    ['another vowel of Thai never, other tones always', 'หมู', ['porkOfThai']],
    ['a word of Thai with its tone', 'หมี', ['noodlesOfThai']],
    ['another vowel of Hindi never', 'दाल', ['lentils']],
    ['the beginning of a syllable of Hindi', 'द', ['heart', 'lentils']],
    ['kana with their marks', 'ガス', ['gas']],
    ['hiragana for katakana, in parts', 'か\u3099す', ['gas']],
    ['kana without marks', 'カス', ['draff']],
    ['a syllable of Hangul as a whole', '바', ['barbecue']],
    ['a syllable of Hangul in parts', '\u1107\u1161\u11b8', ['rice']],
    ['a sharp s, written as one letter or as two', 'SOẞE sosse', ['german']],
    ['full-width letters', 'sushi', ['wide']],
    ['plain letters by full-width ones', 'ＬＡＭＢ', ['kabsa']],
    ['ligatures and circled digits', 'fish 1', ['wide']],
    ['a capital dotted i', 'iskender', ['turkish']],
    ['a small dotless i by its capital, and the other way round', 'IŞILTILI ışıltılı', ['turkish']],
    ['a dotless i by one with a dot, and the other way round', 'isilti ıskender TATLİ', ['turkish']],
    ['a part of a Greek word that ends in another letter there', 'ΟΔΟ', ['greek']],
    ['a Greek sigma, final or not', 'σοφοσ οδοσ', ['greek']],
    ['a Greek word, capitals and all', 'ΟΔΟΣ', ['greek']],
    ['Arabic without harakat', 'كبسة', ['kabsa']],
    ['Arabic with other harakat', 'كُبسِةٌ', ['kabsa']],
    ['teh marbuta by heh', 'كبسه', ['kabsa']],
    ['keheh for kaf', 'کبسة', ['kabsa']],
    ['tatweel or none', 'شاي', ['tea']],
    ['tatweel in the search', 'بالـنـعـنـاع', ['tea']],
    ['Farsi yeh for yeh', 'شای', ['tea']],
    ['alef maksura for yeh', 'شاى', ['tea']],
    ['yeh for alef maksura and Farsi yeh', 'حلوي يزدي', ['yeh']],
    ['alef for every alef variant', 'ارز ايطالي اسيوي البيت', ['alef']],
    ['every alef variant for alef', 'ٱرز أيطآلي', ['alef']],
    ['the rare alefs', 'ٲرز ٳيطالي \u0675سيوي', ['alef']],
    ['hamza seats by their letters', 'الضان', ['kabsa']],
    ['presentation forms of Arabic letters', 'ﻛﺒﺴﺔ', ['kabsa']],
    ['ASCII digits for Arabic-Indic and Persian ones', '3 25', ['combo']],
    ['Persian digits for Arabic-Indic ones and the other way round', '۳ ٢٥', ['combo']],
    ['a word that contains zero-width characters', 'soupbowl', ['hidden']],
    ['a word between bidi characters', 'evil', ['hidden']],
    [
      'words to which the search adds zero-width and bidi characters',
      'la\u200dm\u200fb\ufeff k\u2066a\u2069bsa',
      ['kabsa'],
    ],
    ['letters beyond the basic plane, in another letter case', '𐐨𐐩', ['astral']],
    ['an emoji', '🍋', ['astral']],
    ['punctuation', '100% "best" (new)', ['signs']],
    ['a full stop, not any character', 'a.c', ['signs']],
    ['an asterisk, not any text', '*', ['signs']],
    ['a plus sign, not a space', '+', []],
    ['nothing by an absent word beside a present one', 'lamb pizza', []],
    ['nothing by two words without the space between them', 'lambkabsa', []],
    ['nothing by a slug or an intro', 'by-slug', []],
    ['nothing by a language code', 'ar', []],
    ['nothing by __proto__', '__proto__', []],
    ['nothing by a percent sign', 'l%mb', []],
  ])('%s: %s', async (_, search, ids) => {
    expect(await found(search)).toEqual(ids);
  });

  it('all names with the word', async () => {
    expect(await found('tea')).toEqual(['tea']);
    expect(await found('so')).toEqual(['german', 'hidden']);
  });
});

describe('search and q', () => {
  const all = Object.keys(names).length + 1;

  it('are two names of one parameter', async () => {
    expect(await idsOf('products', keys.reader, { q: 'LAMB كبسه' })).toEqual(['kabsa']);
  });

  it.each([
    [{ search: 'lamb', q: 'tea' }, ['kabsa']],
    [{ q: 'tea', search: 'lamb' }, ['kabsa']],
    [{ search: 'nowhere', q: 'tea' }, []],
    [{ search: '', q: 'tea' }, ['tea']],
    [{ search: ' \t\u00a0', q: 'tea' }, ['tea']],
    [{ search: 'lamb', q: ' ' }, ['kabsa']],
  ])('search wins unless it is blank: %j', async (query, ids) => {
    expect(await idsOf('products', keys.reader, query)).toEqual(ids);
  });

  it.each<Record<string, string>>([{ search: ' ' }, { q: ' ' }, { search: '\u3000', q: '\n' }, { search: '', q: '' }])(
    'are ignored when they are blank: %j',
    async (query) => {
      expect((await pageOf('products', keys.reader, query)).pagination.total).toBe(all);
    },
  );

  it('accept a long text', async () => {
    expect(await found('lamb '.repeat(1_000))).toEqual(['kabsa']);
    expect(await found('x'.repeat(8_000))).toEqual([]);
  });

  it.each(['search=%FF', 'search=%ED%A0%80', 'search=%', 'q=%00'])(
    'accept %s, which is not valid text (200)',
    async (query) => {
      expect(await idsOf('products', keys.reader, query)).toEqual(query === 'search=%' ? ['signs'] : []);
    },
  );
});
