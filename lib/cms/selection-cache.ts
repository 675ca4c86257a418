import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { FieldList } from '#lib/domain/cms/field-list.ts';
import type { Issue } from '#lib/domain/issue.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { derived } from '#lib/table/memory/derived.ts';
import { type EntrySelection, Selector } from './selection.ts';
import type { Visibility } from './visibility.ts';

interface Selected {
  readonly selection: EntrySelection;
  readonly issues: readonly Issue[];
}

const selections = containerMemory.view<Selected>();
let schemas = 0;
/** A number for a schema: each version of the CMS databases is another object. */
const nameOf = derived((_: CmsSchema) => ++schemas);

/** The estimated bytes of one field in a selection. */
const columnBytes = 250;
/** A selection contains at most all fields of all databases, and the fields in the list. */
const fieldsOf = derived(({ models }: CmsSchema) => [...models.values()].flatMap(({ fields }) => fields).length);

/**
 * The selection of a field list. While the schema is unchanged, the same list has the same object, so that rendered
 * texts can be reused.
 */
export function selectionFor(
  schema: CmsSchema,
  model: Model,
  visibility: Visibility,
  list: FieldList | undefined,
): Selected {
  const address = `${nameOf(schema)} ${visibility.hiddenFields} ${model.id} ${list ? fieldListText(list) : ''}`;
  const cached = selections.get(address);
  if (cached) return cached;
  const selected = select(schema, model, visibility, list);
  selections.set(address, selected, columnBytes * (fieldsOf(schema) + address.length));
  return selected;
}

function select({ models }: CmsSchema, model: Model, visibility: Visibility, list: FieldList | undefined): Selected {
  const selector = new Selector(models, visibility);
  const selection = selector.select(model, list);
  return { selection, issues: selector.issues };
}

/** A text that is equal only for equal lists, in the caller's syntax: names contain no commas and no parentheses. */
export const fieldListText = (list: FieldList): string =>
  [...list]
    .flatMap(([name, { plain, nested }]) => [
      ...(plain ? [name] : []),
      ...(nested ? [`${name}(${fieldListText(nested)})`] : []),
    ])
    .join();
