import * as z from 'zod/mini';
import { SelectOptions } from '../forms/select-option.ts';
import type { Issue } from '../input.ts';
import { listOf, newerRule, orFalse, rule, uniqueBy } from '../schema-rules.ts';
import { isRecordId, RecordId } from '../text/identifier.ts';
import { LocalizedName } from '../text/name.ts';
import { FieldKey } from '../text/slug.ts';
import { systemFields, textTypes } from './field-names.ts';

export const FieldType = z.enum([
  'text',
  'longText',
  'richText',
  'number',
  'boolean',
  'date',
  'datetime',
  'email',
  'url',
  'phone',
  'select',
  'multiSelect',
  'json',
  'media',
  'relation',
]);
export type FieldType = z.infer<typeof FieldType>;

const isTarget = (to: string): boolean => to === 'menu:product' || (to.startsWith('cms:') && isRecordId(to.slice(4)));

/** The target of a relation field, `cms:<modelId>` or `menu:product`, and whether it holds several ids. */
export const Relation = z.strictObject({
  to: z.string().check(z.refine(isTarget, 'Must be menu:product, or cms: and the id of a database.')),
  many: orFalse(),
});
export type Relation = z.infer<typeof Relation>;

/** A field of a CMS database (lib/spec/decisions.md section 3). */
export const Field = z
  .strictObject({
    key: FieldKey.check(
      z.refine((key) => !(systemFields as readonly string[]).includes(key), {
        error: 'Must not be the name of a system field (id, published, createdAt, updatedAt).',
        params: { code: 'not_allowed' },
      }),
    ),
    name: LocalizedName,
    type: FieldType,
    localized: orFalse(),
    required: orFalse(),
    hidden: orFalse(),
    options: z.optional(SelectOptions),
    relation: z.optional(Relation),
    many: orFalse(),
    /** False excludes the field from the columns of its database (lib/spec/additions.md section 1). */
    indexed: z.optional(z.boolean()),
  })
  .check(rule(misplacedMembers), newerRule(emptyChoice));
export type Field = z.infer<typeof Field>;

/** A CMS database (lib/spec/decisions.md section 3); at most 150 fields (section 2). */
export const Model = z.strictObject({
  id: RecordId,
  name: LocalizedName,
  fields: listOf(Field, z.maxLength(150, 'Must be at most 150 fields.'), uniqueBy('key')),
});
export type Model = z.infer<typeof Model>;

/** The paths of the texts of a database. */
export const modelTexts = ['name', 'fields[].name', 'fields[].options[].label'] as const;

function misplacedMembers(value: unknown): Issue[] {
  const field = (value ?? {}) as Partial<Record<keyof Field, unknown>>;
  const type = typeof field.type === 'string' ? field.type : '';
  const isChoice = type === 'select' || type === 'multiSelect';
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, code: 'not_allowed', message });
  if (field.localized === true && !textTypes.includes(type)) {
    refuse('localized', 'Must be false: only text, longText and richText can be localized.');
  }
  if (field.many === true && type !== 'media') {
    refuse('many', 'Must be false: only media fields have it here; a relation has it inside `relation`.');
  }
  if (Array.isArray(field.options) && field.options.length > 0 && !isChoice) {
    refuse('options', 'Must be absent: only select and multiSelect have options.');
  }
  if (field.relation !== undefined && type !== 'relation') {
    refuse('relation', 'Must be absent: only fields of type relation have it.');
  }
  if (field.relation === undefined && type === 'relation') {
    issues.push({ path: 'relation', code: 'required', message: 'Is required for fields of type relation.' });
  }
  return issues;
}

function emptyChoice(value: unknown): Issue[] {
  const { type, required, options = [] } = (value ?? {}) as Partial<Record<keyof Field, unknown>>;
  const isChoice = type === 'select' || type === 'multiSelect';
  if (!isChoice || required !== true || !Array.isArray(options) || options.length > 0) return [];
  const message = 'Is required: a value is required, and there is nothing to choose.';
  return [{ path: 'options', code: 'required', message }];
}
