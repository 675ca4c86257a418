import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { relatedModelId } from '#lib/domain/cms/related-models.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import type { Table } from '#lib/table/table.ts';
import { atField, type EntryChange, failsForEveryEntry } from './entry-change.ts';
import { isVisible, type Visibility } from './visibility.ts';

/** The number of parallel look-ups. The deadline is checked between them. */
const lookUpBatchSize = 1_000;

/** A target of a relation in a change. */
interface Target {
  readonly key: string;
  readonly relation: NonNullable<EntryChange['fields'][number]['field']['relation']>;
  readonly id: string;
}

type Exists = (target: Target) => Promise<boolean>;

/**
 * The relations of a change whose targets the workspace does not have (lib/spec/interface.md section 4.2 rule 4). A
 * change that is refused for its size needs no look-ups.
 */
export async function missingTargets(
  table: Table,
  scope: WorkspaceScope,
  visibility: Pick<Visibility, 'drafts'>,
  change: EntryChange,
): Promise<Issue[]> {
  if (failsForEveryEntry(change)) return [];
  const targets = targetsOf(change);
  const existing = await existingAddresses(targets, existsIn(table, scope, visibility));
  const missing = targets.filter((target) => !existing.has(addressOf(target)));
  return [...Map.groupBy(missing, ({ key }) => key)].map(([key, ofField]) => atField(key, notFound(ofField)));
}

const targetsOf = ({ fields }: EntryChange): Target[] =>
  fields.flatMap(({ field: { key, relation }, value }) =>
    relation ? [value ?? []].flat().map((id) => ({ key, relation, id: String(id) })) : [],
  );

const addressOf = ({ relation, id }: Target): string => `${relation.to} ${id}`;

/** The targets that exist. Each record is looked up once, even if several fields refer to it. */
async function existingAddresses(targets: readonly Target[], exists: Exists): Promise<ReadonlySet<string>> {
  const distinct = [...new Map(targets.map((target) => [addressOf(target), target])).values()];
  const existing = new Set<string>();
  for (let start = 0; start < distinct.length; start += lookUpBatchSize) {
    const batch = distinct.slice(start, start + lookUpBatchSize);
    const found = await Promise.all(batch.map(exists));
    for (const [index, target] of batch.entries()) if (found[index]) existing.add(addressOf(target));
  }
  return existing;
}

function existsIn(table: Table, scope: WorkspaceScope, visibility: Pick<Visibility, 'drafts'>): Exists {
  const entries = new CmsEntries(table, scope);
  const existsFor = async (modelId: string, id: string) => {
    // For a caller that sees drafts, the existence of the entry is enough.
    if (visibility.drafts) return entries.exists(modelId, id);
    const entry = await entries.find(modelId, id);
    return entry !== undefined && isVisible(entry, visibility);
  };
  const menu = new Menu(table, scope);
  return ({ relation, id }) => {
    const modelId = relatedModelId(relation);
    return modelId === undefined ? menu.hasProduct(id) : existsFor(modelId, id);
  };
}

function notFound(missing: readonly Target[]): Issue {
  const named = missing.slice(0, 5).map(({ id }) => id);
  const rest = missing.length > 5 ? ` and ${missing.length - 5} more` : '';
  const message = `Must name existing records of ${missing[0]?.relation.to}; there is no ${named.join(', ')}${rest}.`;
  return { path: '', code: 'not_found', message };
}
