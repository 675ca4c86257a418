import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { columnsOf, kindOf, type ValueKind } from '#lib/domain/cms/columns.ts';
import { systemFields } from '#lib/domain/cms/field-names.ts';
import { type TextForm, textForms } from '#lib/domain/text/text-forms.ts';
import { type Visibility, visibleFields } from '../visibility.ts';

export interface Filterable {
  readonly key: string;
  readonly kind: ValueKind;
  readonly localized: boolean;
  /** Of a text whose values all have one form, such as an e-mail address. */
  readonly form?: TextForm | undefined;
}

export type UnusableReason = 'unknown_field' | 'not_filterable';

type SystemField = (typeof systemFields)[number];

const systemKinds: Readonly<Record<SystemField, ValueKind>> = {
  id: 'id',
  published: 'boolean',
  createdAt: 'stamp',
  updatedAt: 'stamp',
};

/** A database may have hundreds of fields. */
const namesMax = 20;

/** The fields by which a caller may filter and sort a database (lib/spec/additions.md section 1). */
export class FieldReferences {
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #columns: ReadonlySet<Field>;

  /** A hidden field is treated as unknown, unless the caller sees it. */
  constructor(model: Model, visibility: Visibility) {
    this.#fields = new Map(visibleFields(model, visibility).map((field) => [field.key, field]));
    this.#columns = new Set(columnsOf(model));
  }

  /** @param isUsable `isFilterable` or `isSortable` */
  find(name: string, isUsable: (field: Field) => boolean): Filterable | UnusableReason {
    if (isSystemField(name)) return { key: name, kind: systemKinds[name], localized: false };
    const field = this.#fields.get(name);
    if (!field) return 'unknown_field';
    const kind = kindOf(field);
    if (!kind || !this.#columns.has(field) || !isUsable(field)) return 'not_filterable';
    const forms: Partial<Record<Field['type'], TextForm>> = textForms;
    return { key: name, kind, localized: field.localized, form: forms[field.type] };
  }

  /** The first names that `find` finds, as words for a message. */
  names(isUsable: (field: Field) => boolean): string {
    const all = [...systemFields, ...this.#fields.keys()];
    const names = all.filter((name) => typeof this.find(name, isUsable) === 'object');
    const others = names.length - namesMax;
    return `${names.slice(0, namesMax).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  }
}

const isSystemField = (name: string): name is SystemField => (systemFields as readonly string[]).includes(name);
