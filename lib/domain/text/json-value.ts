import type { Issue } from '../input.ts';
import { forbiddenNames } from './forbidden-names.ts';

/** The levels of nesting that a messaging call allows in its JSON body. */
export const bodyLevelsMax = 8;

/**
 * The issues of a JSON value that cannot be stored unchanged (lib/spec/decisions.md sections 3 and 5). These are names
 * that could reach a prototype, lone surrogates, NUL, numbers beyond a double, and nesting deeper than `levels`. Nothing
 * below the last level is looked at, so the depth of the walk is bounded.
 */
export function jsonIssues(value: unknown, levels: number, path = ''): Issue[] {
  if (typeof value === 'string') return textIssues(value, path);
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ path, code: 'max', message: 'Must be a finite double-precision number.' }];
  if (typeof value !== 'object' || value === null) return [];
  if (levels === 0) return [{ path, code: 'too_large', message: 'Must be nested less deeply.' }];
  if (Array.isArray(value)) return value.flatMap((item, index) => jsonIssues(item, levels - 1, at(path, `${index}`)));
  return Object.entries(value).flatMap(([name, member]) => [
    ...nameIssues(name, at(path, name)),
    ...jsonIssues(member, levels - 1, at(path, name)),
  ]);
}

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function nameIssues(name: string, path: string): Issue[] {
  if (forbiddenNames.has(name)) {
    const message = 'Must not be named __proto__, constructor or prototype.';
    return [{ path, code: 'not_allowed', message }];
  }
  return textIssues(name, path);
}

function textIssues(text: string, path: string): Issue[] {
  if (!text.isWellFormed())
    return [{ path, code: 'format', message: 'Must be well-formed Unicode without lone surrogates.' }];
  return text.includes('\0')
    ? [{ path, code: 'format', message: 'Must not contain NUL (U+0000).', isNewer: true }]
    : [];
}
