import * as z from 'zod/mini';
import { type Issue, parseWith } from './input.ts';

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

/** The defaults of absent properties: null, or an empty list (lib/spec/workspace-document.md section 3). */
export const orNull = <S extends z.ZodMiniType>(schema: S) => z._default(z.nullable(schema), null as never);
export const orFalse = () => z._default(z.boolean(), false);
export const orTrue = () => z._default(z.boolean(), true);
export const listOf = <S extends z.ZodMiniType>(item: S, ...checks: z.core.$ZodCheck<z.output<S>[]>[]) =>
  z._default(z.array(item).check(...checks), [] as never);

/** The rule that a string property is unique among the objects of a list (lib/spec/workspace-document.md section 2). */
export const uniqueBy = <T>(member: string) =>
  rule<T>((list) => repeatedItems(list, (item) => item?.[member], `.${member}`));

/** The rule that no text is twice in a list in which a second one says nothing more. */
export const unique = <T>() => newerRule<T>((list) => repeatedItems(list, (item) => item));

// biome-ignore lint/suspicious/noExplicitAny: an item may be malformed.
function repeatedItems(list: unknown, nameOf: (item: any) => unknown, pathEnd = ''): Issue[] {
  const seen = new Set<unknown>();
  return (Array.isArray(list) ? list : []).flatMap((item, index): Issue[] => {
    const name = nameOf(item);
    if (typeof name !== 'string' || seen.size < seen.add(name).size) return [];
    return [{ path: `${index}${pathEnd}`, code: 'duplicate', message: 'Must not appear twice in the array.' }];
  });
}
