import { describe, expect, it } from '@jest/globals';
import { productFilterText } from '#lib/menu/product-filter.ts';
import { nameHasWords, searchedWords } from '#lib/menu/sorted-rows.ts';

const filterText = (search: string) => productFilterText({ search, published: true });

describe('a word of a search that is given again', () => {
  it('is looked for once', () => {
    const words = searchedWords('Tea tea '.repeat(8_000));
    expect(words).toEqual(['tea']);
    expect(nameHasWords({ folded: ['mint tea'] } as never, words)).toBe(true);
  });

  it('makes no other filter', () => {
    expect(filterText('tea TEA mint')).toBe(filterText('tea mint'));
    expect(filterText('tea')).not.toBe(filterText('mint'));
  });
});
