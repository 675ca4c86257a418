import { isObject } from '#lib/domain/input.ts';
import { isEqual, type Members, valueAt, withValueAt } from './paths.ts';

/** A field in which two versions of a record differ. */
export interface Difference {
  /** A path down to the language of a text: `name.en`. A list is one field. */
  readonly path: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** True if both sides have changed it, so one of the changes would be lost. */
  readonly isContested: boolean;
}

/** The version of each field that is kept, by path. */
export type Choices = Readonly<Record<string, 'mine' | 'theirs'>>;

/** Members that every write sets. */
const written = new Set(['updatedAt']);

/** @param base the common ancestor of both versions */
export function differences(base: Members, mine: Members, theirs: Members, before = ''): Difference[] {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].flatMap((name): Difference[] => {
    const common = base[name];
    const edited = mine[name];
    const stored = theirs[name];
    if (written.has(name) || isEqual(edited, stored)) return [];
    const path = `${before}${name}`;
    // If one version has null and the other an object, the whole object is one field.
    if (isObject(edited) && isObject(stored))
      return differences(isObject(common) ? common : {}, edited, stored, `${path}.`);
    return [{ path, mine: edited, theirs: stored, isContested: !isEqual(common, edited) && !isEqual(common, stored) }];
  });
}

/**
 * The initial choice. A change of only one side is kept. If both sides changed a property, mine is kept until the user
 * chooses.
 */
export const firstChoices = (base: Members, found: readonly Difference[]): Choices =>
  Object.fromEntries(
    found.map(({ path, mine }): [string, 'mine' | 'theirs'] => [
      path,
      isEqual(valueAt(base, path), mine) ? 'theirs' : 'mine',
    ]),
  );

/** The stored version with the chosen fields of mine. */
export const merged = <Of extends Members>(theirs: Of, found: readonly Difference[], choices: Choices): Of =>
  found
    .filter(({ path }) => choices[path] === 'mine')
    .reduce((record, { path, mine }) => withValueAt(record, path, mine), theirs);
