import * as z from 'zod/mini';
import type { Issue } from './issue.ts';
import { parseWith } from './schema-issue.ts';

/**
 * A rule about several properties of a value. It also runs when one of them is malformed, so that all issues are
 * reported together. Therefore it must check the type of every property.
 */
export const rule = <T>(find: (value: unknown) => Issue[]) => checkOf<T>(find, false);

/** A rule that stored records may break, because it is newer (lib/spec/additions.md section 9, "Newer rules"). */
export const newerRule = <T>(find: (value: unknown) => Issue[]) => checkOf<T>(find, true);

const checkOf = <T>(find: (value: unknown) => Issue[], isNewer: boolean) =>
  z.check<T>(
    (payload) => {
      for (const { path, code, message } of find(payload.value)) {
        const segments = path === '' ? [] : path.split('.');
        const params = { code, isNewer };
        payload.issues.push({ code: 'custom', path: segments, message, params, input: payload.value });
      }
    },
    { when: () => !(isNewer && skipsNewerRules) },
  );

/** Whether newer rules are left out. A parse is synchronous, so no other one sees it. */
let skipsNewerRules = false;

/** Parses a record that may be stored already: beside issues by newer rules alone, there is a value. */
export function parseStorable<S extends z.ZodMiniType>(
  schema: S,
  input: unknown,
): { readonly value?: z.output<S> | undefined; readonly issues: readonly Issue[] } {
  const { value, issues = [] } = parseWith(schema, input);
  if (issues.length === 0 || issues.some(({ isNewer }) => !isNewer)) return { value, issues };
  skipsNewerRules = true;
  try {
    // A check after the newer rule may fail, too.
    const lenient = parseWith(schema, input);
    return { value: lenient.value, issues: [...issues, ...(lenient.issues ?? [])] };
  } finally {
    skipsNewerRules = false;
  }
}
