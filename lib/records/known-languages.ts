import { type Kind, kindRow } from './document-kinds.ts';
import { isObject, valuesAt } from './json-object.ts';

/**
 * A record without texts in languages that the workspace does not have any more (lib/spec/additions.md section 2,
 * models). Their removal rewrites nothing, so records keep them until they are next written.
 * @returns the record itself when all of its languages are known
 */
export function inLanguages<R extends object>(kind: Kind, record: R, languages: readonly string[]): R {
  const isKnown = (language: string) => languages.includes(language);
  const foreign = new Set(
    (kindRow(kind).localized ?? [])
      .flatMap((path) => valuesAt(record, path))
      .map(({ value }) => value)
      .filter((value) => isObject(value) && !Object.keys(value).every(isKnown)),
  );
  return foreign.size === 0 ? record : (without(record, foreign, isKnown) as R);
}

function without(value: unknown, foreign: ReadonlySet<unknown>, isKnown: (language: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, foreign, isKnown));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  if (foreign.has(value)) return Object.fromEntries(members.filter(([language]) => isKnown(language)));
  return Object.fromEntries(members.map(([name, member]) => [name, without(member, foreign, isKnown)]));
}
