import { randomUUID } from 'node:crypto';
import type { Document } from '../world.ts';

export const bothLanguages = (en: string, ar: string) => ({ en, ar });
type BothLanguages = ReturnType<typeof bothLanguages>;

/** A price with its name. */
export const price = (amount: number, name?: BothLanguages) => ({ price: amount, ...(name ? { name } : {}) });

/** Several fields of one type. A star marks localized texts: `name*`. */
export const fields = (type: string, names: Readonly<Record<string, BothLanguages>>, more: object = {}) =>
  Object.entries(names).map(([key, name]) => ({
    key: key.replace('*', ''),
    name,
    type,
    ...(key.endsWith('*') ? { localized: true } : {}),
    ...more,
  }));

interface Product {
  readonly name: BothLanguages;
  readonly category: string;
  readonly prices: readonly object[];
  readonly description?: BothLanguages;
  readonly [member: string]: unknown;
}

/** Products by id, in the form of a document. */
export const products = (all: Readonly<Record<string, Product>>) =>
  Object.entries(all).map(([id, { category, prices, ...product }]) => ({
    id,
    slug: id.replaceAll('_', '-'),
    categoryId: category,
    priceOptions: prices.map((option, index) => ({ id: `${id}_${index}`, ...option })),
    ...product,
  }));

export const categories = (all: Readonly<Record<string, BothLanguages>>) =>
  Object.entries(all).map(([id, name]) => ({ id, slug: id.replaceAll('_', '-'), name }));

/** Entries of one database by id. */
export const entries = (modelId: string, all: Readonly<Record<string, object>>, more: object = {}) =>
  Object.entries(all).map(([id, values]) => ({ id, modelId, values, ...more }));

export const form = (slug: string, title: BothLanguages, questions: readonly BothLanguages[], enabled = true) => ({
  id: `form_${slug}`,
  slug,
  title,
  enabled,
  fields: questions.map((question, index) => ({
    id: `${slug}_${index}`,
    ref: `answer${index}`,
    title: question,
    type: 'TEXT',
    order: index + 1,
  })),
});

export const workspace = (name: string, currency: string, rest: object): Document => ({
  version: 1,
  workspace: {
    id: `ws_${randomUUID().replaceAll('-', '')}`,
    name,
    languages: ['en', 'ar'],
    defaultLanguage: 'en',
    currency,
  },
  ...rest,
});
