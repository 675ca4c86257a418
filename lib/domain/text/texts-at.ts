import { isObject } from '../input.ts';

type Change = (texts: never) => unknown;

/**
 * A record with its texts in another form; the same record if all of them stay.
 * @param paths those of texts, such as `fields[].title`, where `[]` means every item
 * @param change makes the form of one text, which is an object of language to text
 */
export const withTexts = <R extends object>(record: R, paths: readonly string[], change: Change): R =>
  paths.reduce<unknown>((changed, path) => changedAt(changed, path.split('.'), change), record) as R;

function changedAt(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (!isObject(value)) return value;
  if (step === undefined) return change(value as never);
  const name = step.replace('[]', '');
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  const inside = (item: unknown) => changedAt(item, rest, change);
  const next = name === step ? inside(member) : changedItems(member, inside);
  return next === member ? value : { ...value, [name]: next };
}

function changedItems(list: unknown, change: (item: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list;
  const items = list.map(change);
  return items.some((item, index) => item !== list[index]) ? items : list;
}
