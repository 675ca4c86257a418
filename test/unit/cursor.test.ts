import { describe, expect, it } from '@jest/globals';
import { cursorOf, positionOf } from '#lib/http/cursor.ts';

const list = { workspaceId: 'ws_1', list: 'products', filter: ['soldout'] };
const position = ['ünïcode', 'prod_1', null, 1e21];
const cursor = cursorOf(list, position);

describe('a cursor', () => {
  it('leads back to its position', () => {
    expect(positionOf(list, cursor)).toEqual(position);
  });

  it('does not depend on the order of members of its list', () => {
    const { workspaceId, ...others } = list;
    expect(positionOf({ ...others, workspaceId }, cursor)).toEqual(position);
  });

  it('needs no encoding in an address', () => {
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it.each([
    ['of another workspace', { ...list, workspaceId: 'ws_2' }],
    ['of another filter', { ...list, filter: [] }],
  ])('is no cursor %s', (_, other) => {
    expect(positionOf(other, cursor)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['cut at its end', cursor.slice(0, -1)],
    ['cut at its beginning', cursor.slice(1)],
    ['longer', `${cursor}A`],
    ['padded', `${cursor}=`],
    ['its check alone', cursor.slice(0, 16)],
    ['changed in one character', cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['text', 'next'],
    ['too long', 'A'.repeat(100_000)],
    ['a half surrogate', '\ud800'],
  ])('does not count when it is %s', (_, broken) => {
    expect(positionOf(list, broken)).toBeUndefined();
  });
});
