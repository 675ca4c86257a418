import { expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { mergePatch } from '#lib/domain/text/merge-patch.ts';

/** The test cases of RFC 7396, appendix A: target, patch, result. */
const cases: readonly [unknown, unknown, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

it.each(cases)('merges into %j the patch %j', (target, patch, merged) => {
  expect(mergePatch(target, patch)).toEqual(merged);
});

const schema = z.object({
  title: z.string(),
  note: z.optional(z.string()),
  createdAt: z.optional(z.string()),
  image: z.optional(z.object({ url: z.string(), alt: z.optional(z.string()) })),
});

it('removes an optional member, and leaves the null of a required one to the check', () => {
  const record = { title: 'Soup', note: 'new', image: { url: '/1.png', alt: 'a soup' } };
  const patch = { title: null, note: null, image: { url: null, alt: null }, unknown: null };
  expect(mergePatch(record, patch, schema)).toEqual({ title: null, image: { url: null }, unknown: null });
});

it('does not remove times, which a body may only omit', () => {
  expect(mergePatch({ createdAt: '2026-01-01T00:00:00Z' }, { createdAt: null }, schema)).toEqual({ createdAt: null });
});

it('makes a member of the name of a prototype', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__": {"isAdmin": true}}')) as object;
  expect(Object.keys(merged)).toEqual(['__proto__']);
  expect('isAdmin' in merged).toBe(false);
});
