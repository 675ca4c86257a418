import { describe, expect, it } from '@jest/globals';
import { citationsOf } from '#lib/ai/citation.ts';

const source = (id: string, ...names: string[]) => ({ citation: { kind: 'product' as const, id }, names });
const kabsa = source('p1', 'Lamb kabsa', 'كبسة لحم');
const tea = source('p2', 'Tea', 'شاي');
const iced = source('p3', 'Iced tea');

describe('the citations of a reply', () => {
  it.each([
    ['The lamb KABSA is 58.', [kabsa, tea], ['p1']],
    ['كَبسة لحم بـ 58', [kabsa, tea], ['p1']],
    ['It is 58.', [kabsa, tea], ['p1', 'p2']],
    ['We have iced tea.', [tea, iced], ['p3']],
    ['We have tea and iced tea.', [tea, iced, tea], ['p2', 'p3']],
    ['Nothing.', [], []],
    ['Whatever.', [source('p4', ''), tea], ['p4', 'p2']],
  ])('%s', (text, sources, ids) => {
    expect(citationsOf(text, sources).map((citation) => citation.id)).toEqual(ids);
  });

  it('are no others than it names where it is made from no others', () => {
    expect(citationsOf('It is 58.', [kabsa, tea], true)).toEqual([]);
    expect(citationsOf('Ask for tea.', [kabsa, tea], true)).toEqual([tea.citation]);
  });
});
