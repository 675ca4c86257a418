import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { cursorOf, PositionKey, PositionText, PositionTime, positionIn } from '#lib/http/cursor.ts';
import { pageOf } from '#lib/http/page.ts';
import { signatureOf } from '#lib/secrets/own-signature.ts';

const list = { workspaceId: 'ws_1', list: 'products', filter: ['soldout'] };
const position = ['ünïcode', 'prod_1', null, 1e21];
const Position = z.tuple([z.string(), z.string(), z.nullable(z.number()), z.number()]);
const cursor = await cursorOf(list, position);
const otherUse = `${await signatureOf('login', cursor.slice(43))}${cursor.slice(43)}`;
const positionOf = (of: unknown, text: string) => positionIn(of, text, Position);

/** A cursor with any content, as its signer could make it. */
const signed = async (content: string): Promise<string> => {
  const text = Buffer.from(content).toString('base64url');
  return `${await signatureOf('cursor', text)}${text}`;
};

describe('a cursor', () => {
  it('leads back to its position', async () => {
    expect(await positionOf(list, cursor)).toEqual(position);
  });

  it('does not depend on the order of members of its list', async () => {
    const { workspaceId, ...others } = list;
    expect(await positionOf({ ...others, workspaceId }, cursor)).toEqual(position);
  });

  it('needs no encoding in an address', () => {
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it.each([
    ['of another workspace', { ...list, workspaceId: 'ws_2' }],
    ['of another filter', { ...list, filter: [] }],
  ])('is no cursor %s', async (_, other) => {
    expect(await positionOf(other, cursor)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['cut at its end', cursor.slice(0, -1)],
    ['cut at its beginning', cursor.slice(1)],
    ['longer', `${cursor}A`],
    ['padded', `${cursor}=`],
    ['its signature alone', cursor.slice(0, 43)],
    ['without its signature', cursor.slice(43)],
    ['signed for another use', otherUse],
    ['text', 'next'],
    ['too long', 'A'.repeat(100_000)],
    ['a half surrogate', '\ud800'],
  ])('does not count when it is %s', async (_, broken) => {
    expect(await positionOf(list, broken)).toBeUndefined();
  });

  it('does not count with another character at any place', async () => {
    for (const [index, character] of [...cursor].entries()) {
      for (const other of [character === 'A' ? 'B' : 'A', '+', '%']) {
        const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
        expect([changed, await positionOf(list, changed)]).toEqual([changed, undefined]);
      }
    }
  });

  it.each(['', 'null', '[]', '{}', '"text"', '[', '[null,null]', '{"__proto__":[]}', '[["a"],["a","b",null,1]]'])(
    'does not count with the signed content %s',
    async (content) => {
      expect(await positionOf(list, await signed(content))).toBeUndefined();
    },
  );

  it.each([[[]], [['a', 'b', null]], [['a', 'b', null, 1, 1]], [['a', 'b', '1', 1]], [{ 0: 'a' }], [null]])(
    'does not count with the position %j, which its list cannot have',
    async (other) => {
      expect(await positionOf(list, await cursorOf(list, other))).toBeUndefined();
    },
  );
});

describe('a part of a position', () => {
  it.each([
    [PositionText, 'x'.repeat(1_024), true],
    [PositionText, 'x'.repeat(1_025), false],
    [PositionText, 'ش'.repeat(512), true],
    [PositionText, 'ش'.repeat(513), false],
    [PositionText, 1, false],
    [PositionTime, '2026-01-31T09:00:00.000Z', true],
    [PositionTime, '2026-01-31T09:00:00Z', false],
    [PositionTime, '2026-02-31T09:00:00.000Z', false],
    [PositionTime, '', false],
    [PositionKey, '2026-01-31T09:00:00.000Z#a', true],
    [PositionKey, '2026-01-31T09:00:00.000Z#', false],
    [PositionKey, '2026-01-31T09:00:00.000Z', false],
    [PositionKey, '2026-01-31T09:00:00.000Z#a#', false],
    [PositionKey, `2026-01-31T09:00:00.000Z#${'a'.repeat(129)}`, false],
  ])('%# is checked: %j, %s', (schema, value, isValid) => {
    expect(z.safeParse(schema, value).success).toBe(isValid);
  });
});

describe('a page', () => {
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  const read = async (
    { limit, cursor: at }: { readonly limit: number; readonly cursor?: string | undefined },
    { matches, lookedAtMax }: { readonly matches?: (row: number) => boolean; readonly lookedAtMax?: number } = {},
  ) => {
    const looked: number[] = [];
    const page = await pageOf<number, number>(
      { list, limit, cursor: at },
      {
        order: { position: z.number(), of: (row) => row },
        async *after(from) {
          for (const row of numbers.filter((number) => from === undefined || number > from)) {
            looked.push(row);
            yield row;
          }
        },
        ...(matches && { matches }),
        ...(lookedAtMax !== undefined && { lookedAtMax }),
      },
    );
    return { ...page, looked };
  };

  async function walk(limit: number, rules: Parameters<typeof read>[1] = {}) {
    const pages: (readonly number[])[] = [];
    const looked: number[] = [];
    let next: string | undefined;
    do {
      const page = await read({ limit, cursor: next }, rules);
      pages.push(page.rows);
      looked.push(...page.looked);
      next = page.next ?? undefined;
    } while (next);
    return { pages, looked };
  }

  it.each([
    [
      4,
      [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
      ],
    ],
    [
      5,
      [
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8, 9],
      ],
    ],
    [10, [numbers]],
    [11, [numbers]],
  ])('of %d rows is followed by the next ones, and the last page has no cursor', async (limit, pages) => {
    expect((await walk(limit)).pages).toEqual(pages);
  });

  it('has the matching rows, and no page after it looks at a row again', async () => {
    const { pages, looked } = await walk(2, { matches: (row) => [1, 4, 5, 8].includes(row) });
    expect(pages).toEqual([
      [1, 4],
      [5, 8],
    ]);
    // The row that shows that more follow is looked at by both pages.
    expect(looked).toEqual([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9]);
  });

  it('ends after the rows that it may look at, even without a match', async () => {
    const { pages } = await walk(2, { matches: (row) => row === 9, lookedAtMax: 4 });
    expect(pages).toEqual([[], [], [9]]);
  });

  it('refuses a cursor of another list with 400', async () => {
    const foreign = await cursorOf({ ...list, workspaceId: 'ws_2' }, 3);
    await expect(read({ limit: 1, cursor: foreign })).rejects.toMatchObject({
      statusCode: 400,
      details: { errors: [{ path: 'cursor', code: 'format' }] },
    });
  });
});
