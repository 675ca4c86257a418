import type { Field, FieldType } from './cms/cms-model.ts';
import { isObject, jsonIn } from './input.ts';
import { isDateTime, isDay } from './text/calendar.ts';
import { isRecordId } from './text/identifier.ts';
import { textForms } from './text/text-forms.ts';

type Shape = (value: unknown) => boolean;

const isText: Shape = (value) => typeof value === 'string';
const textOf =
  (isRight: (text: string) => boolean): Shape =>
  (value) =>
    typeof value === 'string' && isRight(value);
const inForm = (form: keyof typeof textForms): Shape => textOf((text) => textForms[form].read(text) === text);
const listOf =
  (isItem: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(isItem);

const shapes: Record<FieldType, Shape> = {
  text: isText,
  longText: isText,
  richText: isText,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  date: textOf(isDay),
  datetime: textOf((time) => isDateTime(time, 'with zone')),
  email: inForm('email'),
  url: inForm('url'),
  phone: inForm('phone'),
  select: isText,
  multiSelect: listOf(isText),
  json: textOf((text) => jsonIn(text) !== undefined),
  media: (value) => isObject(value) && isText(value['id']) && isText(value['url']),
  relation: textOf(isRecordId),
};

/**
 * Whether a stored value fits its field. An import may change a field's type and leave entries unchanged; values of
 * the old type are then ignored.
 */
export function hasShapeOf({ type, localized, many, relation }: Field, value: unknown): boolean {
  if (localized) return isObject(value);
  return many || relation?.many ? listOf(shapes[type])(value) : shapes[type](value);
}
