import { isObject } from '#lib/domain/json-object.ts';
import { textsIn } from '#lib/domain/text/localized.ts';
import { type Kind, kindOf } from '#lib/kinds/kinds.ts';
import { valuesAt } from './values-at.ts';

/**
 * A record without texts in removed languages of the workspace (lib/spec/additions.md section 2, models). Removing a
 * language rewrites no records, so they keep its texts until their next write.
 * @returns the same record if it has no such texts
 */
export function inLanguages<R extends object>(kind: Kind, record: R, languages: readonly string[]): R {
  const otherLanguages = new Set(
    (kindOf(kind).localized ?? [])
      .flatMap((path) => valuesAt(record, path))
      .map(({ value }) => value)
      .filter((value) => isObject(value) && textsIn(value, languages) !== value),
  );
  return otherLanguages.size === 0 ? record : (without(record, otherLanguages, languages) as R);
}

function without(value: unknown, otherLanguages: ReadonlySet<unknown>, languages: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, otherLanguages, languages));
  if (!isObject(value)) return value;
  if (otherLanguages.has(value)) return textsIn(value, languages);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, without(member, otherLanguages, languages)]),
  );
}
