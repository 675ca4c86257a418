import { expect, it } from '@jest/globals';
import {
  categoryFromTuple,
  categoryTuple,
  type ProductRow,
  productFromTuple,
  productTuple,
} from '#lib/domain/menu/menu-row.ts';

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
