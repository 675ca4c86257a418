import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { checkValue, hasValue, requiredIssue } from '#lib/domain/cms/cms-values.ts';
import { relatedModelId, systemFields } from '#lib/domain/cms/field-names.ts';
import { type Issue, type IssueCode, ownValue } from '#lib/domain/input.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { recordBytesMax, storedBytes } from '#lib/domain/stored-size.ts';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { Menu } from '#lib/table/menu/menu.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { isVisible, type Visibility, visibleFields } from './visibility.ts';

/** An update, checked as far as possible without the entry. */
export interface EntryChange {
  readonly published: boolean | undefined;
  readonly fields: readonly FieldChange[];
}

export interface FieldChange {
  readonly field: Field;
  /**
   * The value to store. For a localized field: the languages to set, null for a language to remove, or null for all.
   */
  readonly value: unknown;
}

/**
 * Checks the `values` of an update (lib/spec/interface.md section 4.2, lib/spec/decisions.md section 3).
 * @returns the change, and all issues, with paths such as `values.name.en`
 */
export function readEntryChange(
  model: Model,
  values: Readonly<Record<string, unknown>>,
  visibility: Visibility,
  languages: readonly string[],
): { readonly change: EntryChange; readonly issues: readonly Issue[] } {
  const fields: FieldChange[] = [];
  const issues: Issue[] = [];
  let published: boolean | undefined;
  const writable = new Map(visibleFields(model, visibility).map((field) => [field.key, field]));
  for (const [key, value] of Object.entries(values)) {
    const field = writable.get(key);
    if (key === 'published' && typeof value === 'boolean') published = value;
    else if (key === 'published') issues.push(issueOf(key, 'type', 'Must be true or false.'));
    else if (!field) issues.push(issueOf(key, 'unknown_field', isSystem(key) ? systemField : unknownField));
    else {
      const checked = checkValue(field, value, languages);
      if ('issues' in checked) for (const issue of checked.issues) issues.push(atField(key, issue));
      else if (takesRequiredValue(field, checked.value)) issues.push(atField(key, requiredIssue));
      else fields.push({ field, value: checked.value });
    }
  }
  return { change: { published, fields }, issues };
}

const isSystem = (key: string): boolean => (systemFields as readonly string[]).includes(key);
const systemField = 'Is a system field and cannot be written.';
const unknownField = 'Is not a field of this database that you may write.';

/** Whether a required field would have no value in any stored entry. A localized one may keep other languages. */
const takesRequiredValue = (field: Field, value: unknown): boolean =>
  field.required && (!field.localized || value === null) && !hasValue(field, value);

function atField(key: string, { path, code, message }: Issue): Issue {
  const fieldPath = path === '' ? `values.${key}` : `values.${key}.${path}`;
  return { path: fieldPath, code, message: `${fieldPath}: ${message}` };
}

const issueOf = (key: string, code: IssueCode, message: string): Issue => atField(key, { path: '', code, message });

export function changedValues(entry: Pick<StoredEntry, 'values'>, { fields }: EntryChange): Record<string, unknown> {
  const changed = fields.map(({ field, value }) => [
    field.key,
    changedValue(field, ownValue(entry.values, field.key), value),
  ]);
  return { ...entry.values, ...Object.fromEntries(changed) };
}

/** A localized field without any language is stored as an empty object, so that every language has a parent. */
function changedValue(field: Field, stored: unknown, value: unknown): unknown {
  if (!field.localized) return value;
  if (value === null) return {};
  const merged = { ...(hasShapeOf(field, stored) ? (stored as object) : {}), ...(value as object) };
  return Object.fromEntries(Object.entries(merged).filter(([, text]) => text !== null));
}

/**
 * The required fields that a change would leave without a value (lib/spec/decisions.md section 3).
 * @param after the values after the change
 */
export const lostRequiredValues = ({ fields }: EntryChange, after: Readonly<Record<string, unknown>>): Issue[] =>
  fields
    .filter(({ field }) => field.required && !hasValue(field, ownValue(after, field.key)))
    .map(({ field }) => issueOf(field.key, 'required', 'Is required and must have a value after the update.'));

/** The number of parallel look-ups. The deadline is checked between them. */
const lookUpBatchSize = 1_000;

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
  if (storedBytes(changedValues({ values: {} }, change)) > recordBytesMax) return [];
  const exists = existsIn(table, scope, visibility);
  const targets = change.fields.flatMap(({ field: { key, relation }, value }) =>
    relation ? [value ?? []].flat().map((id) => ({ key, to: relation.to, id: String(id) })) : [],
  );
  const missing: typeof targets = [];
  // The request reads a record once, even if several fields refer to it.
  for (let start = 0; start < targets.length; start += lookUpBatchSize) {
    const batch = targets.slice(start, start + lookUpBatchSize);
    const found = await Promise.all(batch.map(exists));
    missing.push(...batch.filter((_, index) => !found[index]));
  }
  return [...Map.groupBy(missing, ({ key }) => key)].map(([key, ofField]) => {
    const named = ofField.slice(0, 5).map(({ id }) => id);
    const rest = ofField.length > 5 ? ` and ${ofField.length - 5} more` : '';
    const message = `Must name existing records of ${ofField[0]?.to}; there is no ${named.join(', ')}${rest}.`;
    return issueOf(key, 'not_found', message);
  });
}

function existsIn(table: Table, scope: WorkspaceScope, visibility: Pick<Visibility, 'drafts'>) {
  const entries = new CmsEntries(table, scope);
  const menu = new Menu(table, scope);
  return async ({ to, id }: { readonly to: string; readonly id: string }): Promise<boolean> => {
    const modelId = relatedModelId({ to });
    if (modelId === undefined) return (await menu.findProduct(id)) !== undefined;
    // For a caller that sees drafts, the existence of the entry is enough.
    if (visibility.drafts) return entries.exists(modelId, id);
    const entry = await entries.find(modelId, id);
    return entry !== undefined && isVisible(entry, visibility);
  };
}
