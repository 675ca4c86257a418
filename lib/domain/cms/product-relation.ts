import { ownValue } from '../input.ts';
import type { Model } from './cms-model.ts';

/** The part of an entry that `cmsData` needs of its relations to products (lib/spec/decisions.md section 4). */
export interface RelationRow {
  readonly id: string;
  readonly createdAt: string;
  readonly published: boolean;
  readonly productIds: readonly string[];
  /** Identifies the stored version of the entry. */
  readonly revision: string;
}

interface RelatingEntry extends Omit<RelationRow, 'productIds'> {
  readonly values: Readonly<Record<string, unknown>>;
}

/** The visible fields that relate a database's entries to products. */
export const relatingFields = ({ fields }: Model): readonly string[] =>
  fields.filter(({ relation, hidden }) => relation?.to === 'menu:product' && !hidden).map(({ key }) => key);

/** @returns undefined for an entry that relates to no product */
export function relationRow(entry: RelatingEntry, fields: readonly string[]): RelationRow | undefined {
  const ids = fields.flatMap((key) => (ownValue(entry.values, key) ?? []) as string | string[]);
  if (ids.length === 0) return undefined;
  const { id, createdAt, published, revision } = entry;
  return { id, createdAt, published, productIds: [...new Set(ids)], revision };
}
