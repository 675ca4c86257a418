import type { Document } from '#test/support/world.ts';

/** A customer's question and the words of a right answer. Without such words, the right answer is a hand-over. */
export type HeldOut = readonly [question: string, ...says: string[]];

export interface HeldOutBusiness {
  readonly document: Document;
  readonly questions: readonly HeldOut[];
}

type Texts = string | { readonly en: string; readonly ar?: string | undefined };
const both = (text: Texts | undefined) => (typeof text === 'string' ? { en: text } : (text ?? {}));

/** A field of a database as `key: type`. A type in capitals means that the field is localized. */
export const database = (id: string, name: Texts, fields: Readonly<Record<string, string>>) => ({
  id,
  name: both(name),
  fields: Object.entries(fields).map(([key, type]) => {
    const localized = type === type.toUpperCase();
    const plain = { TEXT: 'text', LONG: 'longText', RICH: 'richText' }[type] ?? type;
    return { key, name: { en: key.replaceAll('_', ' ') }, type: plain, localized };
  }),
});

export const entries = (modelId: string, list: readonly Readonly<Record<string, unknown>>[]) =>
  list.map((values, index) => ({ id: `${modelId}_${index + 1}`, modelId, values }));

let products = 0;
export const product = (
  categoryId: string,
  name: Texts,
  prices: number | Readonly<Record<string, number>>,
  more = {},
) => {
  const id = `p${++products}`;
  const list = typeof prices === 'number' ? [['', prices] as const] : Object.entries(prices);
  return {
    id,
    slug: id,
    categoryId,
    name: both(name),
    priceOptions: list.map(([label, price], index) => ({
      id: `${id}_${index}`,
      price,
      ...(label !== '' && { name: { en: label } }),
    })),
    ...more,
  };
};

export const category = (id: string, name: Texts) => ({ id, slug: id, name: both(name) });

export const form = (slug: string, title: Texts) => ({
  id: `form_${slug}`,
  slug,
  title: both(title),
  fields: [{ id: `${slug}_1`, ref: 'email', title: { en: 'E-mail' }, type: 'EMAIL' }],
});
