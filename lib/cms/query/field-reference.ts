import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, isFilterable, isSortable } from '#lib/domain/cms/columns.ts';
import { systemFields } from '#lib/domain/cms/field-names.ts';
import { type TextForm, textForms } from '#lib/domain/text/text-forms.ts';
import type { Visibility } from '../visibility.ts';

/** How the values of a column are compared. */
export type ValueKind =
  | 'text'
  | 'choice'
  | 'choices'
  | 'boolean'
  | 'number'
  | 'day'
  | 'moment'
  | 'stamp'
  | 'id'
  | 'ids';

/** A field by which lists can be filtered. */
export interface Filterable {
  readonly key: string;
  readonly kind: ValueKind;
  readonly localized: boolean;
  /** Of a text whose values all have one form, such as an e-mail address. */
  readonly form?: TextForm | undefined;
}

/** The reason why a name cannot be used. */
export type UnusableReason = 'unknown_field' | 'not_filterable';

type SystemField = (typeof systemFields)[number];

const systemKinds: Readonly<Record<SystemField, ValueKind>> = {
  id: 'id',
  published: 'boolean',
  createdAt: 'stamp',
  updatedAt: 'stamp',
};

const fieldKinds: Partial<Record<Field['type'], ValueKind>> = {
  text: 'text',
  email: 'text',
  phone: 'text',
  url: 'text',
  select: 'choice',
  multiSelect: 'choices',
  boolean: 'boolean',
  number: 'number',
  date: 'day',
  datetime: 'moment',
  relation: 'id',
};

/** A database may have hundreds of fields. */
const namesMax = 20;

/** The fields by which a caller may filter and sort a database (lib/spec/additions.md section 1). */
export class FieldReferences {
  readonly #model: Model;
  readonly #visibility: Visibility;
  readonly #columns: ReadonlySet<Field>;

  constructor(model: Model, visibility: Visibility) {
    this.#model = model;
    this.#visibility = visibility;
    this.#columns = new Set(columnsOf(model));
  }

  filterable = (name: string): Filterable | UnusableReason => this.#find(name, isFilterable);
  sortable = (name: string): Filterable | UnusableReason => this.#find(name, isSortable);

  /** The first names that `filterable` or `sortable` finds, as words for a message. */
  filterableNames = (): string => this.#names(this.filterable);
  sortableNames = (): string => this.#names(this.sortable);

  #names(find: (name: string) => Filterable | UnusableReason): string {
    const keys = this.#visible().map(({ key }) => key);
    const names = [...systemFields, ...keys].filter((name) => typeof find(name) === 'object');
    const others = names.length - namesMax;
    return `${names.slice(0, namesMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  }

  #visible = (): readonly Field[] =>
    this.#model.fields.filter(({ hidden }) => !hidden || this.#visibility.hiddenFields);

  /** A hidden field is treated as unknown, unless the caller sees it. */
  #find(name: string, isUsable: (field: Field) => boolean): Filterable | UnusableReason {
    if (isSystemField(name)) return { key: name, kind: systemKinds[name], localized: false };
    const field = this.#visible().find(({ key }) => key === name);
    if (!field) return 'unknown_field';
    const kind = field.relation?.many ? 'ids' : fieldKinds[field.type];
    if (!kind || !this.#columns.has(field) || !isUsable(field)) return 'not_filterable';
    const forms: Partial<Record<Field['type'], TextForm>> = textForms;
    return { key: name, kind, localized: field.localized, form: forms[field.type] };
  }
}

const isSystemField = (name: string): name is SystemField => (systemFields as readonly string[]).includes(name);
