import { describe, expect, it } from '@jest/globals';
import { type FieldList, parseFieldList } from '#lib/domain/cms/field-list.ts';
import { fc, runs } from '#test/support/fast-check.ts';

/** A list as plain data: a name, whether it has no parentheses, and the contents of its parentheses. */
const treeOf = (list: FieldList | undefined): unknown =>
  list && [...list].map(([name, { plain, nested }]) => [name, plain, treeOf(nested)]);

function parsed(text: string): FieldList | undefined {
  const result = parseFieldList(text);
  if ('issue' in result) throw new Error(result.issue.message);
  return result.list;
}

const written = (list: FieldList): string =>
  [...list]
    .flatMap(([name, { plain, nested }]) => [
      ...(plain ? [name] : []),
      ...(nested ? [`${name}(${written(nested)})`] : []),
    ])
    .join();

const name = fc.constantFrom('a', 'b', 'name', 'mentor', '__proto__', 'é', 'x y');
const { tree } = fc.letrec<{ tree: string; item: string }>((tie) => ({
  tree: fc.array(tie('item'), { minLength: 1, maxLength: 4 }).map((items) => items.join()),
  item: fc.oneof(
    { maxDepth: 4 },
    name,
    fc.tuple(name, tie('tree')).map(([each, nested]) => `${each}(${nested})`),
  ),
}));
const withSpaces = (text: string, spaces: string) => text.replaceAll(/[(),]/g, `${spaces}$&${spaces}`);

describe('a field list', () => {
  it.each<[string, unknown]>([
    ['', undefined],
    ['   ', undefined],
    ['a', [['a', true, undefined]]],
    [
      'a,b',
      [
        ['a', true, undefined],
        ['b', true, undefined],
      ],
    ],
    ['a(b)', [['a', false, [['b', true, undefined]]]]],
    ['a(b),a', [['a', true, [['b', true, undefined]]]]],
    [
      'a(b),c,a(b,d)',
      [
        [
          'a',
          false,
          [
            ['b', true, undefined],
            ['d', true, undefined],
          ],
        ],
        ['c', true, undefined],
      ],
    ],
    ['a(b(c)),a(b)', [['a', false, [['b', true, [['c', true, undefined]]]]]]],
  ])('%j is read as %j', (text, list) => {
    expect(treeOf(parsed(text))).toEqual(list);
  });

  it('is the same with spaces around its names', () => {
    fc.assert(
      fc.property(tree, fc.nat(3), (text, count) => {
        fc.pre(text.length < 500 && text.split(/[(,]/).length <= 200);
        expect(treeOf(parsed(withSpaces(` ${text} `, ' '.repeat(count))))).toEqual(treeOf(parsed(text)));
      }),
    );
  });

  it('is the same when it is written down again, and when it is given twice', () => {
    fc.assert(
      fc.property(tree, (text) => {
        fc.pre(text.length < 500 && text.split(/[(,]/).length <= 100);
        const list = parsed(text);
        expect(treeOf(parsed(written(list as FieldList)))).toEqual(treeOf(list));
        expect(treeOf(parsed(`${text},${text}`))).toEqual(treeOf(list));
      }),
    );
  });

  it('is a list or an issue at `fields`, for any text', () => {
    const noise = fc.string({ unit: fc.constantFrom('a', 'b', '(', ')', ',', ' ', '\t', 'é', '😀'), maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), (text) => {
        const result = parseFieldList(text);
        if ('issue' in result) {
          expect(result.issue).toEqual({ path: 'fields', code: expect.any(String), message: expect.any(String) });
        } else {
          expect(isList(text)).toBe(true);
        }
      }),
      runs(2_000),
    );
  });

  it('is refused exactly when it is none', () => {
    const noise = fc.string({ unit: fc.constantFrom('a', '(', ')', ',', ' '), maxLength: 16 });
    fc.assert(
      fc.property(noise, (text) => {
        expect('list' in parseFieldList(text)).toBe(isList(text));
      }),
      runs(5_000),
    );
  });

  it.each<[string, string]>([
    ['a,', 'Expected a field name at the end.'],
    ['a,,b', 'Expected a field name at character 3.'],
    ['a(b', 'Expected a comma or a closing parenthesis at the end.'],
    ['a(b))', 'Expected a comma or a closing parenthesis at character 5.'],
    ['a()', 'Expected a field name at character 3.'],
  ])('%j is refused with the place: %s', (text, message) => {
    expect(parseFieldList(text)).toEqual({ issue: { path: 'fields', code: 'syntax', message } });
  });

  it.each<[string, number, (count: number) => string]>([
    ['names', 200, (count) => Array(count).fill('a').join()],
    [
      'names at all levels',
      200,
      (count) =>
        `a(${Array(count - 1)
          .fill('b')
          .join()})`,
    ],
    ['pairs of parentheses inside each other', 6, (count) => `${'a('.repeat(count)}a${')'.repeat(count)}`],
    ['bytes', 4_096, (count) => 'é'.padEnd(count - 1)],
  ])('has at most so many %s: %d', (_, most, text) => {
    expect('list' in parseFieldList(text(most))).toBe(true);
    expect(parseFieldList(text(most + 1))).toMatchObject({ issue: { path: 'fields', code: 'too_large' } });
  });
});

/** Checks the grammar by removing the innermost parentheses; it ignores bounds. */
function isList(text: string): boolean {
  if (text.trim() === '') return true;
  const names = (list: string) => list.split(',').every((each) => each.trim() !== '');
  let rest = text;
  for (;;) {
    const innermost = /([^(),]+)\(([^()]*)\)( *)(?=[,)]|$)/.exec(rest);
    if (!innermost) break;
    const [whole, before = '', inside = ''] = innermost;
    if (before.trim() === '' || !names(inside)) return false;
    rest = rest.replace(whole, before);
  }
  return !/[()]/.test(rest) && names(rest);
}
