import type { FieldType } from '#lib/domain/cms/cms-model.ts';
import { systemFields, textTypes } from '#lib/domain/cms/field-names.ts';
import { isObject } from '#lib/domain/input.ts';
import { languagesMissing, textIn } from '../../data/localized.ts';
import type { Members } from '../../editing/paths.ts';
import { unusedKey } from '../../editing/unused-key.ts';
import type { DraftField } from './types.ts';

/** A key that no field of the database has. */
export const unusedFieldKey = (name: string, usedKeys: readonly string[]): string =>
  unusedKey(name, [...usedKeys, ...systemFields]);

export const blankField = (usedKeys: readonly string[]): DraftField => ({
  key: unusedFieldKey('', usedKeys),
  name: {},
  type: 'text',
  localized: true,
  required: false,
  hidden: false,
  many: false,
});

export const canBeLocalized = (type: FieldType): boolean => textTypes.includes(type);
export const hasOptions = (type: FieldType): boolean => type === 'select' || type === 'multiSelect';

/** The field with another type. Members that the type lacks are removed, and required ones are added. */
export function withType({ options, relation, ...field }: DraftField, type: FieldType): DraftField {
  return {
    ...field,
    type,
    localized: field.localized === true && canBeLocalized(type),
    many: field.many === true && type === 'media',
    ...(hasOptions(type) && { options: options ?? [] }),
    ...(type === 'relation' && { relation: relation ?? { to: 'menu:product', many: false } }),
  };
}

/** The field with the name of an entry: the first text. */
export const titleFieldOf = <Of extends Pick<DraftField, 'type' | 'hidden'>>(fields: readonly Of[]): Of | undefined =>
  fields.find(({ type, hidden }) => type === 'text' && !hidden) ?? fields.find(({ type }) => type === 'text');

/** The name of an entry, else its id. */
export function titleOf(
  fields: readonly DraftField[],
  { id, values }: { readonly id: string; readonly values: Members },
  languages: readonly string[],
): string {
  const value = values[titleFieldOf(fields)?.key ?? ''];
  const text = isObject(value) ? textIn(value as Readonly<Record<string, string>>, languages) : value;
  return typeof text === 'string' && text.trim() !== '' ? text : id;
}

/** The missing translations by language: fields with a text in another language, but none in this one. */
export function missingTranslations(
  fields: readonly DraftField[],
  values: Members,
  languages: readonly string[],
): readonly { readonly language: string; readonly fields: readonly DraftField[] }[] {
  const missing = fields.flatMap((field) => {
    const value = values[field.key];
    if (!field.localized || !isObject(value)) return [];
    const texts = value as Readonly<Record<string, string>>;
    return textIn(texts, []) === '' ? [] : [{ field, languages: languagesMissing(texts, languages) }];
  });
  return languages
    .map((language) => ({
      language,
      fields: missing.filter((entry) => entry.languages.includes(language)).map(({ field }) => field),
    }))
    .filter((entry) => entry.fields.length > 0);
}

/** The initial values of a new entry: a required yes or no is no. */
export const blankValues = (fields: readonly DraftField[]): Members =>
  Object.fromEntries(fields.map(({ key, type, required }) => [key, type === 'boolean' && required ? false : null]));
