import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, ownValue } from '../input.ts';

/** Of more paths, only the properties and fields are named. So a page of events fits into an answer. */
const pathsMax = 200;

/**
 * The paths at which two versions of a record differ, down to object properties and languages. A list is one value.
 * `updatedAt` is included only if nothing else has changed, because every change sets it.
 */
export function changedPaths(before: object, after: object): string[] {
  // The table does not keep the order of properties.
  const paths = differences(before, after, '').sort();
  const others = paths.filter((path) => path !== 'updatedAt');
  if (others.length > pathsMax) return [...new Set(others.map(fieldIn))];
  return others.length > 0 ? others : paths;
}

/** `values.title` of `values.title.en`. */
const fieldIn = (path: string): string => path.split('.', 2).join('.');

function differences(before: unknown, after: unknown, path: string): string[] {
  const a = before ?? null;
  const b = after ?? null;
  if (isDeepStrictEqual(a, b)) return [];
  if (!isMembers(a) || !isMembers(b)) return [path];
  const [had, has] = [a ?? {}, b ?? {}];
  const inside = [...new Set([...Object.keys(had), ...Object.keys(has)])].flatMap((name) =>
    differences(ownValue(had, name), ownValue(has, name), path ? `${path}.${name}` : name),
  );
  // An object for null is a change; null for a member that is absent inside of one is none.
  return inside.length > 0 || path === '' || (a && b) ? inside : [path];
}

/** True for an object and for null. */
const isMembers = (value: unknown): value is JsonObject | null => typeof value === 'object' && !Array.isArray(value);
