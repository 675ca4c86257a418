import { describe, expect, it } from '@jest/globals';
import { ThinkFilter } from '#lib/ai/think-filter.ts';

function filtered(pieces: readonly string[]): string {
  const filter = new ThinkFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

describe('thoughts at the beginning of a reply', () => {
  it.each([
    ['<think>Hm.</think>Yes.', 'Yes.'],
    ['  \n<think>Hm.</think>\n\n Yes.', 'Yes.'],
    ['<think></think>Yes.', 'Yes.'],
    ['<think>never ends', ''],
    ['Yes. <think>kept</think>', 'Yes. <think>kept</think>'],
    ['<thing>', '<thing>'],
    ['<thi', '<thi'],
    ['', ''],
    ['Yes.', 'Yes.'],
  ])('%j leave %j, however it is cut', (text, left) => {
    expect(filtered([text])).toBe(left);
    expect(filtered([...text])).toBe(left);
    for (let cut = 1; cut < text.length; cut++) expect(filtered([text.slice(0, cut), text.slice(cut)])).toBe(left);
  });
});
