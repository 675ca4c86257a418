import type { Issue } from './issue.ts';
import { newerRule, rule } from './schema-rules.ts';

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
