import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import type { FieldList, NamedFields } from '#lib/domain/cms/field-list.ts';
import { relatedModelId, systemFields } from '#lib/domain/cms/field-names.ts';
import { derived } from '#lib/domain/derived.ts';
import type { Issue } from '#lib/domain/input.ts';
import { productMembers } from '#lib/domain/menu/product-view.ts';
import type { CmsSchema } from '#lib/table/cms/cms-schema.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import { type Visibility, visibleFields } from './visibility.ts';

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

/** Turns field lists into selections, and makes the default selection of each database. */
class Selector {
  readonly #models: CmsSchema['models'];
  readonly #visibility: Visibility;
  readonly #defaults = new Map<string, EntrySelection>();
  readonly issues: Issue[] = [];

  constructor({ models }: CmsSchema, visibility: Visibility) {
    this.#models = models;
    this.#visibility = visibility;
  }

  /** All visible fields. The relations of databases may be circular, so each has one default selection. */
  all(model: Model): EntrySelection {
    const selection = this.#defaults.get(model.id) ?? this.named(model, new Map(), '', true);
    this.#defaults.set(model.id, selection);
    return selection;
  }

  /**
   * The fields in a list. Errors in the list are added to `issues`, with paths such as `fields.mentor.nope`
   * (lib/spec/decisions.md section 3).
   * @param andDefaults whether the same relation is also named without parentheses
   */
  named(model: Model, list: FieldList, path = 'fields', andDefaults = false): EntrySelection {
    const fields = visibleFields(model, this.#visibility);
    const names = new Set<string>([...systemFields, ...fields.map(({ key }) => key)]);
    for (const name of list.keys()) if (!names.has(name)) this.#refuse(`${path}.${name}`, 'unknown_field');
    for (const system of systemFields) {
      if (list.get(system)?.nested) this.#refuse(`${path}.${system}`, 'not_a_relation');
    }
    return {
      target: 'entry',
      modelId: model.id,
      columns: [
        ...systemFields.filter((name) => name === 'id' || andDefaults || list.has(name)).map((system) => ({ system })),
        ...fields
          .filter(({ key }) => andDefaults || list.has(key))
          .map((field) => this.#column(field, list, path, andDefaults)),
      ],
    };
  }

  /** A relation without parentheses adds the default fields. */
  #column(field: Field, list: FieldList, path: string, andDefaults: boolean): Column {
    const { key, relation } = field;
    const { nested, plain = false } = list.get(key) ?? {};
    const at = `${path}.${key}`;
    if (!relation) {
      if (nested) this.#refuse(at, 'not_a_relation');
      return { field };
    }
    if (!nested) return { field, related: () => this.#related(relation) };
    const selection = this.#related(relation, nested, at, plain || andDefaults);
    return { field, related: () => selection };
  }

  /** @param list undefined for the default selection, which is made when it is needed */
  #related(relation: Relation, list?: FieldList, path = '', andDefaults = false): Selection {
    const modelId = relatedModelId(relation);
    if (modelId === undefined) return list ? this.#product(list, path, andDefaults) : allOfProduct;
    const model = this.#models.get(modelId);
    if (model) return list ? this.named(model, list, path, andDefaults) : this.all(model);
    for (const name of list?.keys() ?? []) if (name !== 'id') this.#refuse(`${path}.${name}`, 'unknown_field');
    return { target: 'entry', modelId, columns: [{ system: 'id' }] };
  }

  #product(list: FieldList, path: string, andDefaults: boolean): Selection {
    for (const [name, { nested }] of list) {
      if (!allOfProduct.members.has(name)) this.#refuse(`${path}.${name}`, 'unknown_field');
      else if (nested) this.#refuse(`${path}.${name}`, 'not_a_relation');
    }
    return andDefaults ? allOfProduct : { target: 'product', members: new Set(['id', ...list.keys()]) };
  }

  #refuse(path: string, code: keyof typeof refusals): void {
    this.issues.push({ path, code, message: `${path} ${refusals[code]}` });
  }
}

const refusals = {
  unknown_field: 'is not a field of its database.',
  not_a_relation: 'is not a relation, so it takes no parentheses.',
} as const;

type Relation = NonNullable<Field['relation']>;

const allOfProduct: ProductSelection = { target: 'product', members: new Set(productMembers) };

interface Selected {
  readonly selection: EntrySelection;
  readonly issues: readonly Issue[];
}

const selections = containerMemory.view<Selected>();

/** The estimated bytes of one field in a selection. */
const columnBytes = 250;
/** A selection contains at most all fields of all databases, and the fields in the list. */
const fieldsOf = derived(({ models }: CmsSchema) => [...models.values()].flatMap(({ fields }) => fields).length);

/** While the schema is unchanged, the same list has the same object, so that rendered texts can be reused. */
export function selectionFor(
  schema: CmsSchema,
  model: Model,
  visibility: Visibility,
  fields: NamedFields | undefined,
): Selected {
  const address = `${schema.version} ${visibility.hiddenFields} ${model.id} ${fields ? `(${fields.text})` : ''}`;
  const cached = selections.get(address);
  if (cached) return cached;
  const selector = new Selector(schema, visibility);
  const selection = fields ? selector.named(model, fields.names) : selector.all(model);
  const selected = { selection, issues: selector.issues };
  selections.set(address, selected, columnBytes * (fieldsOf(schema) + address.length));
  return selected;
}
