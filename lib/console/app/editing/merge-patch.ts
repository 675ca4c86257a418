import { isObject } from '#lib/domain/input.ts';
import { isEqual, type Members } from './paths.ts';

/** The merge patch (RFC 7396) from `before` to `after`: null for removed properties, lists as a whole. */
export function mergePatch(before: Members, after: Members): Members {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...names].flatMap((name): [string, unknown][] => {
    const from = before[name];
    const to = after[name];
    if (isEqual(from, to)) return [];
    if (to === undefined) return [[name, null]];
    return [[name, isObject(from) && isObject(to) ? mergePatch(from, to) : to]];
  });
  return Object.fromEntries(changes);
}
