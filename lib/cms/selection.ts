import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import type { FieldList } from '#lib/domain/cms/field-list.ts';
import { systemFields } from '#lib/domain/cms/field-names.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { productMembers } from '#lib/domain/menu/product-view.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { derived } from '#lib/table/memory/derived.ts';
import type { Visibility } from './visibility.ts';

/** The fields of an entry and of related entries that an answer shows. */
export interface EntrySelection {
  readonly target: 'entry';
  readonly modelId: string;
  readonly columns: readonly Column[];
}
export interface ProductSelection {
  readonly target: 'product';
  readonly members: ReadonlySet<string>;
}
export type Selection = EntrySelection | ProductSelection;

export type Column =
  | { readonly system: (typeof systemFields)[number] }
  | { readonly field: Field; readonly related?: () => Selection };

type Models = ReadonlyMap<string, Model>;

/** Turns field lists into selections, and makes the default selection of each database. */
export class Selector {
  readonly #models: Models;
  readonly #visibility: Visibility;
  readonly #defaults = new Map<string, Selection>();
  readonly issues: Issue[] = [];

  constructor(models: Models, visibility: Visibility) {
    this.#models = models;
    this.#visibility = visibility;
  }

  /**
   * The fields in a list, or all visible ones. Errors in the list are added to `issues`, with paths such as
   * `fields.mentor.nope` (lib/spec/decisions.md section 3).
   */
  select(model: Model, list: FieldList | undefined): EntrySelection {
    return list ? this.#named(model, list, 'fields', false) : this.#all(model);
  }

  #all(model: Model): EntrySelection {
    const cached = this.#defaults.get(model.id);
    if (cached) return cached as EntrySelection;
    const selection: EntrySelection = {
      target: 'entry',
      modelId: model.id,
      columns: [
        ...systemFields.map((system) => ({ system })),
        ...this.#visible(model).map((field) => this.#column(field, undefined)),
      ],
    };
    this.#defaults.set(model.id, selection);
    return selection;
  }

  /** @param andDefaults whether the same relation is also named without parentheses */
  #named(model: Model, list: FieldList, path: string, andDefaults: boolean): EntrySelection {
    const fields = this.#visible(model);
    const names = new Set<string>([...systemFields, ...fields.map(({ key }) => key)]);
    for (const name of list.keys()) if (!names.has(name)) this.#unknown(`${path}.${name}`);
    for (const system of systemFields) {
      if (list.get(system)?.nested) this.#notARelation(`${path}.${system}`);
    }
    return {
      target: 'entry',
      modelId: model.id,
      columns: [
        ...systemFields.filter((name) => name === 'id' || andDefaults || list.has(name)).map((system) => ({ system })),
        ...fields
          .filter(({ key }) => andDefaults || list.has(key))
          .map((field) => this.#listed(field, list, path, andDefaults)),
      ],
    };
  }

  /** A relation without parentheses adds the default fields. */
  #listed(field: Field, list: FieldList, path: string, andDefaults: boolean): Column {
    const name = list.get(field.key);
    if (!name?.nested) return this.#column(field, undefined);
    const at = `${path}.${field.key}`;
    if (!field.relation) {
      this.#notARelation(at);
      return { field };
    }
    return this.#column(field, this.#related(field.relation.to, name.nested, at, name.plain || andDefaults));
  }

  /** A default selection is made when it is needed, because the relations of databases may be circular. */
  #column(field: Field, related: Selection | undefined): Column {
    const { relation } = field;
    if (!relation) return { field };
    return { field, related: () => related ?? this.#defaultOf(relation.to) };
  }

  #defaultOf(to: string): Selection {
    if (to === 'menu:product') return allOfProduct;
    const model = this.#models.get(to.slice('cms:'.length));
    return model
      ? this.#all(model)
      : { target: 'entry', modelId: to.slice('cms:'.length), columns: [{ system: 'id' }] };
  }

  #related(to: string, list: FieldList, path: string, andDefaults: boolean): Selection {
    if (to === 'menu:product') return this.#product(list, path, andDefaults);
    const model = this.#models.get(to.slice('cms:'.length));
    if (model) return this.#named(model, list, path, andDefaults);
    for (const name of list.keys()) if (name !== 'id') this.#unknown(`${path}.${name}`);
    return this.#defaultOf(to);
  }

  #product(list: FieldList, path: string, andDefaults: boolean): Selection {
    for (const [name, { nested }] of list) {
      if (!allOfProduct.members.has(name)) this.#unknown(`${path}.${name}`);
      else if (nested) this.#notARelation(`${path}.${name}`);
    }
    return andDefaults ? allOfProduct : { target: 'product', members: new Set(['id', ...list.keys()]) };
  }

  #visible = (model: Model): readonly Field[] =>
    model.fields.filter(({ hidden }) => !hidden || this.#visibility.hiddenFields);

  #unknown(path: string): void {
    this.issues.push({ path, code: 'unknown_field', message: `${path} is not a field of its database.` });
  }

  #notARelation(path: string): void {
    this.issues.push({
      path,
      code: 'not_a_relation',
      message: `${path} is not a relation, so it takes no parentheses.`,
    });
  }
}

const allOfProduct: ProductSelection = { target: 'product', members: new Set(productMembers) };

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
const fieldListText = (list: FieldList): string =>
  [...list]
    .flatMap(([name, { plain, nested }]) => [
      ...(plain ? [name] : []),
      ...(nested ? [`${name}(${fieldListText(nested)})`] : []),
    ])
    .join();
