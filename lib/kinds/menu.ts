import * as z from 'zod/mini';
import { MenuCategory, MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { categoryTexts, productTexts } from '#lib/domain/menu/menu-texts.ts';
import { flag } from '#lib/http/query-parameters.ts';
import { createdAndUpdated, crud, defineKind, edits, type RequiredPermissions } from './define-kind.ts';

export const menuCategory = defineKind({
  documentPath: ['menu', 'categories'],
  schema: z.partial(MenuCategory, createdAndUpdated),
  unique: 'slug',
  localized: categoryTexts,
  events: { path: 'menu-categories', actions: edits, read: ['menu:category:read', 'menu:category:manage'] },
  managed: {
    path: 'menu-categories',
    noun: 'menu category',
    label: { en: 'Category', ar: 'فئة' },
    verbs: crud('menu:category:manage', 'menu:category:manage'),
    hasHistory: true,
    idPrefix: 'cat_',
  },
});

/** Kitchen staff and points of sale may read products and change their availability. */
const orAvailability: RequiredPermissions = {
  permissions: ['menu:product:manage', 'menu:product:availability'],
  permissionsNeeded: 'any',
};

export const menuProduct = defineKind({
  documentPath: ['menu', 'products'],
  schema: z.partial(MenuProduct, createdAndUpdated),
  unique: 'slug',
  localized: productTexts,
  references: [
    { path: 'categoryId', to: 'menuCategory' },
    { path: 'suggestions[]', to: 'menuProduct', mayBeAbsent: true },
  ],
  events: {
    path: 'menu-products',
    actions: [...edits, 'published', 'unpublished', 'availability_changed'],
    read: ['menu:product:read', ...orAvailability.permissions],
    drafts: 'menu:product:read-unpublished',
  },
  managed: {
    path: 'menu-products',
    noun: 'menu product',
    label: { en: 'Product', ar: 'منتج' },
    verbs: {
      ...crud('menu:product:manage', 'menu:product:manage'),
      list: orAvailability,
      get: orAvailability,
      update: orAvailability,
    },
    hasHistory: true,
    idPrefix: 'prod_',
    listParameters: {
      categoryId: { schema: z.optional(z.string()), text: 'Only products of the category with this id.' },
      published: {
        schema: z.optional(flag()),
        text: '`true` lists only published products, `false` only others.',
      },
      soldout: {
        schema: z.optional(flag()),
        text: '`true` lists only products that are sold out now, `false` only others.',
      },
    },
    words: { record: 'A menu product as it is stored. Its category and suggestions are ids.' },
  },
});

export const menuKinds = { menuCategory, menuProduct };
