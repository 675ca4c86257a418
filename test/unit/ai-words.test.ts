import { describe, expect, it } from '@jest/globals';
import { stemsOf } from '#lib/ai/retrieval/words.ts';

describe('words that mean the same are one', () => {
  it.each([
    ['dessert', 'Desserts'],
    ['dish of beans', 'Dishes of bean'],
    ['delivery', 'deliver'],
    ['opening hours', 'open hour'],
    ['berry', 'BERRIES'],
    ['Café', 'cafe'],
    ["za'atar", 'zaatar'],
    ['كبسة', 'الكبسه'],
    ['حلويات', 'الحلوى'],
    ['مشروب', 'والمشروبات'],
    ['لحم', 'باللحم'],
    ['نباتي', 'نباتية'],
    ['قهوة', 'القَهْوَة'],
    ['فرع', 'فرعكم'],
    ["today's offer", 'today offers'],
    ['٣٢٠', '320'],
    ['ship', 'shipping'],
    ['photo', 'foto'],
    ['الشحن', 'تشحنون'],
  ])('%s and %s', (word, other) => {
    expect(stemsOf(other)).toEqual(stemsOf(word));
  });
});

describe('words that mean something else stay apart', () => {
  it.each([
    ['hummus', 'hummu'],
    ['beer', 'beef'],
    ['كبة', 'كبسة'],
  ])('%s and %s', (word, other) => {
    expect(stemsOf(other)).not.toEqual(stemsOf(word));
  });
});

describe('stop words', () => {
  it.each([
    'How much is the',
    'do you have any',
    'please tell me about',
    'بكم',
    'هل عندكم',
    'كم سعر',
    'لو سمحت',
    '2',
    'وعندكم',
    'تقدمونها',
  ])('are left out: %s', (text) => {
    expect(stemsOf(text)).toEqual([]);
  });

  it('leave the topic of a question', () => {
    expect(stemsOf('How much is the lamb kabsa, please?')).toEqual(['lamb', 'kabsa']);
    expect(stemsOf('بكم كبسة اللحم؟')).toEqual(stemsOf('كبسة لحم'));
  });
});
