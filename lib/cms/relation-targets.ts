import { relatedModelId } from '#lib/domain/cms-model.ts';
import type { Issue } from '#lib/domain/issue.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import { CmsEntries } from '#lib/table/cms-entries.ts';
import { Menu } from '#lib/table/menu.ts';
import type { Table } from '#lib/table/table.ts';
import { at, type EntryChange, type FieldChange } from './entry-change.ts';

/** The relations of a change that name something the workspace does not have (interface.md 4.2 rule 4). */
export async function missingTargets(table: Table, scope: WorkspaceScope, { fields }: EntryChange): Promise<Issue[]> {
  const entries = new CmsEntries(table, scope);
  const menu = new Menu(table, scope);
  const issues = await Promise.all(
    fields.map(async ({ field, value }) => {
      if (!field.relation) return [];
      const { to } = field.relation;
      const modelId = relatedModelId(field.relation);
      const exists = (id: string) => (modelId === undefined ? menu.hasProduct(id) : entries.exists(modelId, id));
      const ids = idsOf(value);
      const found = await Promise.all(ids.map((id) => exists(id)));
      const missing = ids.filter((_, index) => !found[index]);
      return missing.length === 0 ? [] : [at(field.key, notFound(to, missing))];
    }),
  );
  return issues.flat();
}

const idsOf = (value: FieldChange['value']): readonly string[] =>
  value === null ? [] : [value].flat().filter((id) => typeof id === 'string');

function notFound(to: string, ids: readonly string[]): Issue {
  const named = ids.slice(0, 5).join(', ');
  const rest = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return { path: '', code: 'not_found', message: `Must name existing records of ${to}; there is no ${named}${rest}.` };
}
