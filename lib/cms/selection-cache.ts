import type { Model } from '#lib/domain/cms-model.ts';
import type { FieldList } from '#lib/domain/field-list.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { BoundedCache } from '#lib/table/bounded-cache.ts';
import type { CmsSchema } from '#lib/table/cms-schema.ts';
import { type EntrySelection, Selector } from './selection.ts';
import type { Visibility } from './visibility.ts';

interface Selected {
  readonly selection: EntrySelection;
  readonly issues: readonly Issue[];
}

const selectionsMax = 50;
const selections = new WeakMap<CmsSchema, BoundedCache<Selected>>();

/**
 * What a field list selects, the same object for the same list as long as the schema stands: what was written with it
 * can then be used again.
 */
export function selectionFor(
  schema: CmsSchema,
  model: Model,
  visibility: Visibility,
  list: FieldList | undefined,
): Selected {
  const known = selections.get(schema) ?? new BoundedCache<Selected>(selectionsMax);
  selections.set(schema, known);
  const address = `${visibility.hiddenFields} ${model.id} ${list ? fieldListText(list) : ''}`;
  const selected = known.get(address) ?? select(schema, model, visibility, list);
  known.set(address, selected);
  return selected;
}

function select({ models }: CmsSchema, model: Model, visibility: Visibility, list: FieldList | undefined): Selected {
  const selector = new Selector(models, visibility);
  const selection = selector.select(model, list);
  return { selection, issues: selector.issues };
}

/** A list as text that no other list has: as a caller would write it, since names hold neither commas nor parentheses. */
export const fieldListText = (list: FieldList): string =>
  [...list]
    .flatMap(([name, { plain, nested }]) => [
      ...(plain ? [name] : []),
      ...(nested ? [`${name}(${fieldListText(nested)})`] : []),
    ])
    .join();
