import { useProfile } from '../../data/session-context.tsx';
import { useProductSource } from '../../relations/products.ts';
import type { TargetSource } from '../../relations/targets.ts';
import { useLanguage } from '../../texts/use-texts.tsx';
import { titleOf } from './database-model.ts';
import { entryCalls, entryKind, useDatabases } from './records.ts';
import type { Entry } from './types.ts';

/** The database that a relation names; undefined for products. */
export const modelOfRelation = (to: string): string | undefined =>
  to.startsWith('cms:') ? to.slice('cms:'.length) : undefined;

/** Lists and names the records of a relation's target. */
export function useTargetSource(to: string): TargetSource {
  const { data: databases } = useDatabases();
  const products = useProductSource();
  const { defaultLanguage } = useProfile().workspace;
  const languages = [useLanguage(), defaultLanguage];
  const modelId = modelOfRelation(to);
  if (modelId === undefined) return products;
  const fields = databases?.find(({ id }) => id === modelId)?.fields ?? [];
  return {
    kind: entryKind(modelId),
    lister: entryCalls(modelId),
    targetOf: (record) => ({
      id: record.id,
      name: titleOf(fields, record as unknown as Entry, languages),
      published: record['published'] !== false,
    }),
    isListedById: true,
  };
}
