import type { Model } from '#lib/domain/cms-model.ts';
import type { Localized } from '#lib/domain/localized.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import type { CmsSchema } from '#lib/table/cms-schema.ts';
import { Menu } from '#lib/table/menu.ts';
import type { StoredEntry } from '#lib/table/stored-entry.ts';
import { factsOf, relatedOf, type TitleOfRelated } from '../knowledge/entry-facts.ts';
import { shortTitle } from '../knowledge/entry-texts.ts';
import type { ToolContext } from './tool.ts';

const menuProduct = 'menu:product';
const cmsPrefix = 'cms:';
/** Of one look-up; an answer has no room for more names. */
const readMax = 100;

/**
 * What the records are called that entries relate to: published entries and products only. Entries are read when they
 * are named, because the index may be minutes old and one taken off line must not be named any more.
 * @throws Unavailable
 */
export async function relatedTitles(
  shown: readonly { readonly entry: StoredEntry; readonly model: Model }[],
  schema: CmsSchema,
  { table, scope }: ToolContext,
): Promise<TitleOfRelated> {
  const relations = shown.flatMap(({ entry, model }) => factsOf(model, entry).flatMap((fact) => relatedOf(fact) ?? []));
  const addresses = relations.flatMap(({ to, ids }) =>
    to.startsWith(cmsPrefix) ? ids.map((id) => `${to.slice(cmsPrefix.length)}#${id}`) : [],
  );
  const entries = new CmsEntries(table, scope);
  const read = [...new Set(addresses)].slice(0, readMax).map(async (address): Promise<[string, Localized]> => {
    const [modelId = '', id = ''] = address.split('#');
    const model = schema.models.get(modelId);
    const entry = await entries.find(modelId, id);
    return [address, model && entry?.published ? shortTitle(factsOf(model, entry)) : {}];
  });
  const [titles, index] = await Promise.all([
    Promise.all(read).then((all) => new Map(all)),
    relations.some(({ to }) => to === menuProduct) ? new Menu(table, scope).read(async (menu) => menu) : undefined,
  ]);
  const products = index && lookupsOf(index).products;
  return (target, id) => {
    if (target !== menuProduct) return titles.get(`${target.slice(cmsPrefix.length)}#${id}`);
    const product = products?.get(id);
    return product?.published ? product.name : undefined;
  };
}
