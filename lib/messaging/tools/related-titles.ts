import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import { lookupsOf } from '#lib/menu/menu-lookups.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import { factsOf, relatedOf, type TitleOfRelated } from '../knowledge/entry-facts.ts';
import { shortTitle } from '../knowledge/entry-texts.ts';
import type { ToolContext } from './tool.ts';

const menuProduct = 'menu:product';
const cmsPrefix = 'cms:';
/** The maximum for one look-up. An answer has no room for more names. */
const readMax = 100;

/**
 * The titles of related records: published entries and products only. It rereads entries, because the index may be
 * minutes old and an unpublished entry must not be shown. Entries of databases that the agent may not read have no
 * title.
 * @throws Unavailable
 */
export async function relatedTitles(
  shown: readonly { readonly entry: StoredEntry; readonly model: Model }[],
  schema: CmsSchema,
  { table, scope, isOpen }: ToolContext,
): Promise<TitleOfRelated> {
  const relations = shown.flatMap(({ entry, model }) => factsOf(model, entry).flatMap((fact) => relatedOf(fact) ?? []));
  const addresses = relations.flatMap(({ to, ids }) =>
    to.startsWith(cmsPrefix) && isOpen(to.slice(cmsPrefix.length))
      ? ids.map((id) => `${to.slice(cmsPrefix.length)}#${id}`)
      : [],
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
