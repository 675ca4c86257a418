import { describe, expect, it } from '@jest/globals';
import { TextIndex } from '#lib/ai/retrieval/text-index.ts';

function indexOf(names: readonly (readonly string[])[], texts: Readonly<Record<string, string>> = {}) {
  const index = new TextIndex<string>();
  for (const name of names) {
    const [first = ''] = name;
    index.add(first, { name, texts: texts[first] ? [texts[first]] : [] });
  }
  return index;
}

const found = (index: TextIndex<string>, query: string) => index.search(query).map(({ document }) => document);

describe('a text index', () => {
  const index = indexOf([['Lamb kabsa', 'كبسة لحم'], ['Lamb chops'], ['Mint tea']], {
    'Mint tea': 'Goes well with lamb.',
  });

  it('ranks records by the number of matching words, then by their names', () => {
    expect(found(index, 'lamb kabsa')).toEqual(['Lamb kabsa', 'Lamb chops', 'Mint tea']);
    expect(found(index, 'lamb').at(-1)).toBe('Mint tea');
  });

  describe('with names that differ in a number', () => {
    const combos = indexOf([
      ['Combo 1', 'كومبو 1'],
      ['Combo 2', 'كومبو 2'],
      ['Combo 3', 'كومبو 3'],
    ]);

    it.each([
      ['combo 2', 'Combo 2'],
      ['combo 3 please', 'Combo 3'],
      ['كومبو ٣', 'Combo 3'],
    ])('the question %s matches only the name with its number', (query, name) => {
      const hits = combos.search(query);
      expect(hits[0]?.document).toBe(name);
      expect(hits.filter(({ named }) => named)).toHaveLength(1);
    });

    it('a question with a number of no name matches no name, and one without a number matches all', () => {
      expect(combos.search('combo 9').map(({ named }) => named)).toEqual([false, false, false]);
      expect(combos.search('combo').map(({ named }) => named)).toEqual([true, true, true]);
    });
  });

  it('finds in every language', () => {
    expect(found(index, 'الكبسة')).toEqual(['Lamb kabsa']);
  });

  it('reports how much of a query matches', () => {
    expect(index.search('lamb kabsa')[0]).toMatchObject({ match: 1, named: true });
    expect(index.search('lamb bicycle')[0]).toMatchObject({ named: false });
    expect(index.search('lamb bicycle')[0]?.match).toBeLessThan(0.6);
  });

  it.each(['kabsah', 'kapsa', 'kabs'])('forgives a slip in a name: %s', (query) => {
    expect(found(index, query)[0]).toBe(query === 'kabs' ? undefined : 'Lamb kabsa');
  });

  it('takes no other vowel or syllable for a slip', () => {
    const dishes = indexOf([['หมี่กรอบ'], ['दालमखनी'], ['ガスパチョ'], ['비빔냉면집']]);
    expect(['หมูกรอบ', 'दिलमखनी', 'カスパチョ', '비빔국면집'].flatMap((query) => found(dishes, query))).toEqual([]);
    expect(['หมี่กรอบ', 'दालमखनी', 'がすぱちょ', '비빔냉면집'].flatMap((query) => found(dishes, query))).toHaveLength(4);
  });

  it('keeps the vowel signs of a word together with its letters', () => {
    const dishes = indexOf([['दिल बहार'], ['दाल मखनी']]);
    expect(found(dishes, 'दाल')).toEqual(['दाल मखनी']);
  });

  it('ranks a record with the name before one that mentions it', () => {
    const pages = indexOf([['Files'], ['Payment']], { Files: 'You own them after payment.' });
    expect(found(pages, 'payment')).toEqual(['Payment', 'Files']);
  });

  it('finds a word of a list with its "and" written to it', () => {
    expect(found(indexOf([['الفرع']], { الفرع: 'الوكرة ومسيعيد' }), 'مسيعيد')).toEqual(['الفرع']);
  });

  it('finds synonyms', () => {
    const pages = indexOf([['Delivery'], ['حجز']]);
    expect(pages.search('توصيل')).toMatchObject([{ document: 'Delivery', match: 1 }]);
    expect(found(pages, 'reservation')).toEqual(['حجز']);
  });

  it('does not take a word that means something for another one misspelt', () => {
    expect(found(indexOf([['Evening tea']]), 'event')).toEqual([]);
  });

  it('does not require words that usually accompany the other words of the query', () => {
    expect(index.search('lamb tomorrow')[0]?.match).toBeGreaterThan(0.6);
    expect(found(indexOf([['Family meal'], ['Tea']]), 'family meal')).toEqual(['Family meal']);
  });

  it('finds a word with a joined preposition', () => {
    expect(found(index, 'بكبسة')).toEqual(['Lamb kabsa']);
  });

  it.each(['', '   ', 'the', '!?', 'constructor', '__proto__', 'toString'])('finds nothing in %j', (query) => {
    expect(index.search(query)).toEqual([]);
  });

  it('keeps the order of what matches alike', () => {
    expect(found(indexOf([['Red tea'], ['Old tea'], ['Hot tea']]), 'tea')).toEqual(['Red tea', 'Old tea', 'Hot tea']);
  });

  it('can be empty', () => {
    expect(new TextIndex<string>().search('tea')).toEqual([]);
  });
});
