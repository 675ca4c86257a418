import { expect, it } from '@jest/globals';
import {
  categoryFromTuple,
  categoryTuple,
  type ProductRow,
  productFromTuple,
  productTuple,
} from '#lib/domain/menu/menu-row.ts';

const common = [
  'p',
  'slug',
  { en: 'P' },
  ['p'],
  '2026-01-01T00:00:00.000Z',
  '2026-01-02T00:00:00.000Z',
  'hash',
] as const;
const row: ProductRow = {
  id: 'p',
  slug: 'slug',
  name: { en: 'P' },
  folded: ['p'],
  position: -0.5,
  hash: 'hash',
  categoryId: 'c',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  published: true,
  soldout: true,
  soldoutUntil: '2026-01-03T00:00:00.000Z',
  priceOptions: [{ id: 'a', price: 1 }],
};

it('a row is the same after it was stored as a list of values', () => {
  expect(productFromTuple(JSON.parse(JSON.stringify(productTuple(row))))).toEqual(row);
  expect(categoryFromTuple(JSON.parse(JSON.stringify(categoryTuple(row))))).toMatchObject({ id: 'p', position: -0.5 });
});

it('a row that was stored before there were positions has none, and no end of being sold out', () => {
  expect(categoryFromTuple(common)).toMatchObject({ id: 'p', hash: 'hash', position: null });
  const former = productFromTuple([...common, 'c', true, true, row.priceOptions]);
  expect(former).toEqual({ ...row, position: null, soldoutUntil: null });
});

it('a row that was stored with a dotless i has one with a dot, as a search has it', () => {
  const name = { tr: 'Işıl', en: 'Shine' };
  const former = ['p', 'slug', name, ['is\u0131l', 'shine'], common[4], common[5], 'hash'] as const;
  expect(categoryFromTuple(former).folded).toEqual(['isil', 'shine']);
  expect(productFromTuple([...former, 'c', true, true, []]).folded).toEqual(['isil', 'shine']);
});
