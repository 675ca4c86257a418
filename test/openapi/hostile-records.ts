import { fc } from '#test/support/fast-check.ts';
import { validImages } from '#test/support/image-files.ts';
import { hostileText } from './hostile-values.ts';

type Json = Readonly<Record<string, unknown>>;

/** A member or item of a document: its parent object or array, and its name or index. */
interface Position {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

function positionsIn(value: unknown): Position[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...positionsIn(holder[name])]);
}

/** It also works for `__proto__`, which an assignment would not make a member. */
const setOwn = (holder: object, name: string, value: unknown): void => {
  const own = { value: structuredClone(value), enumerable: true, configurable: true, writable: true };
  Object.defineProperty(holder, name, own);
};

const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

const oddity = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer(),
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    0.1,
    1e21,
    1e-7,
    1e300,
    2 ** 53,
    '',
    [],
    {},
    [null],
    [[]],
    { en: '' },
    { en: null },
    { xx: 'x' },
    { 'en-GB': 'x' },
    'a'.repeat(400_000),
    deep(40),
    '2026-02-30',
    '2026-11-20T10:00:00+25:00',
    'javascript:x',
    '//x',
    'https://é.example/\u0000',
    'a@b',
    'cms:none',
    'menu:product',
    '[a-',
    '(a+)+$',
    '()()()',
  ),
);

/** A record in which some parts, at any depth, are removed, duplicated, moved or replaced. */
export const mutated = (record: object): fc.Arbitrary<Json> =>
  fc
    .array(
      fc.record({
        at: fc.nat(),
        from: fc.nat(),
        how: fc.constantFrom('set', 'set', 'remove', 'double', 'copy', 'add'),
        value: oddity,
        more: fc.oneof(hostileText, fc.constantFrom('id', 'slug', 'modelId', 'published', 'createdAt', 'values')),
      }),
      { maxLength: 3 },
    )
    .map((changes) => {
      const copy = structuredClone(record) as Record<string, unknown>;
      for (const { at, from, how, value, more } of changes) {
        const places = positionsIn(copy);
        const place = places[at % places.length];
        const other = places[from % places.length];
        if (!place || !other) continue;
        const { holder, name } = place;
        if (how === 'remove') delete holder[name];
        else if (how === 'add') setOwn(holder, more, value);
        else if (how === 'double' && Array.isArray(holder)) holder.push(structuredClone(holder[Number(name)]));
        else setOwn(holder, name, how === 'copy' ? other.holder[other.name] : value);
      }
      return copy;
    });

/** A merge patch with some members of a partly hostile record. */
export const subsetOf = (record: object): fc.Arbitrary<Json> =>
  fc
    .tuple(mutated(record), fc.subarray(Object.keys(record)))
    .map(([whole, names]) =>
      Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name) || !(name in record))),
    );

/** An image with some changed bytes or ends. */
export const hostileImage: fc.Arbitrary<Buffer> = fc
  .record({
    image: fc.constantFrom(...Object.values(validImages)),
    bytes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    cut: fc.option(fc.nat(), { nil: undefined, freq: 4 }),
    more: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.constantFrom('<script>alert(1)</script>', '<svg/>', 'PK\x05\x06', '%PDF-1.7', '\0'),
    ),
    isBefore: fc.boolean(),
  })
  .map(({ image, bytes, cut, more, isBefore }) => {
    const copy = Buffer.from(image);
    for (const [at, value] of bytes) copy[at % copy.length] = value;
    const part = cut === undefined ? copy : copy.subarray(0, cut % copy.length);
    return Buffer.concat(isBefore ? [Buffer.from(more), part] : [part, Buffer.from(more)]);
  });
