import type { Field, FieldType } from './cms/cms-model.ts';
import { isObject, jsonIn } from './input.ts';

type Shape = (value: unknown) => boolean;

const isText: Shape = (value) => typeof value === 'string';
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
  date: isText,
  datetime: isText,
  email: isText,
  url: isText,
  phone: isText,
  select: isText,
  multiSelect: listOf(isText),
  json: (value) => typeof value === 'string' && jsonIn(value) !== undefined,
  media: (value) => isObject(value) && isText(value['id']) && isText(value['url']),
  relation: isText,
};

/**
 * Whether a stored value fits its field. An import may change a field's type and leave entries unchanged; values of
 * the old type are then ignored.
 */
export function hasShapeOf({ type, localized, many, relation }: Field, value: unknown): boolean {
  if (localized) return isObject(value);
  return many || relation?.many ? listOf(shapes[type])(value) : shapes[type](value);
}
