import { expect, it } from '@jest/globals';
import { changedPaths } from '#lib/domain/access/changed-paths.ts';

it.each<[string, object, object, string[]]>([
  ['a member', { name: 'a', slug: 's' }, { name: 'b', slug: 's' }, ['name']],
  ['one language', { name: { en: 'a', ar: 'ب' } }, { name: { en: 'b', ar: 'ب' } }, ['name.en']],
  ['a language that is added', { name: { en: 'a' } }, { name: { en: 'a', ar: 'ب' } }, ['name.ar']],
  ['texts that there were none of', { intro: null }, { intro: { en: 'a', ar: 'ب' } }, ['intro.ar', 'intro.en']],
  ['a list, as one', { tags: [1, 2] }, { tags: [2, 1] }, ['tags']],
  ['members of lists in another order: nothing', { tags: [{ a: 1, b: 2 }] }, { tags: [{ b: 2, a: 1 }] }, []],
  ['a member that comes or goes', { old: 1 }, { fresh: 1 }, ['fresh', 'old']],
  ['null for an absent member: nothing', {}, { intro: null }, []],
  ['null for an absent member further inside: nothing', { at: { a: 1 } }, { at: { a: 1, b: null } }, []],
  ['an empty object for null', { meta: null }, { meta: {} }, ['meta']],
  ['the time only where it is all', { at: 1, updatedAt: '1' }, { at: 1, updatedAt: '2' }, ['updatedAt']],
  ['not the time beside others', { at: 1, updatedAt: '1' }, { at: 2, updatedAt: '2' }, ['at']],
])('The paths of a change name %s', (_, before, after, paths) => {
  expect(changedPaths(before, after)).toEqual(paths);
});

it('More than 200 paths of a change name its fields alone, so that a page of events fits into an answer', () => {
  const languages = Array.from({ length: 10 }, (_, index) => `l${index}`);
  const keys = Array.from({ length: 150 }, (_, index) => `f${index}`);
  const entry = (text: string, count: number) => ({
    published: text === 'a',
    values: Object.fromEntries(keys.slice(0, count).map((key) => [key, textsOf(text)])),
  });
  const textsOf = (text: string) => Object.fromEntries(languages.map((language) => [language, text]));
  const named = changedPaths(entry('a', 150), entry('b', 150));
  expect(named).toEqual(['published', ...keys.map((key) => `values.${key}`)].sort());
  expect(changedPaths(entry('a', 19), entry('b', 19))).toHaveLength(191);
});
