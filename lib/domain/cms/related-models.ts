import type { Relation } from './cms-model.ts';

/** The id of the related database, or undefined for a relation to products. */
export const relatedModelId = ({ to }: Relation): string | undefined =>
  to === 'menu:product' ? undefined : to.slice('cms:'.length);
