import type { Model, Relation } from './cms-model.ts';

/** The id of the related database, or undefined for a relation to products. */
export const relatedModelId = ({ to }: Relation): string | undefined =>
  to === 'menu:product' ? undefined : to.slice('cms:'.length);

/** The ids of all databases that relations target. */
export function relatedModelIds(models: Iterable<Model>): Set<string> {
  const relations = [...models].flatMap(({ fields }) => fields.flatMap(({ relation }) => relation ?? []));
  return new Set(relations.flatMap((relation) => relatedModelId(relation) ?? []));
}
