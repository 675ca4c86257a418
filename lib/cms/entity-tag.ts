import type { StoredEntry } from '#lib/table/stored-entry.ts';

/** One strong tag for each stored version of an entry, whatever of it is shown (lib/spec/decisions.md section 3). */
export const entityTag = ({ revision }: StoredEntry): string => `"${revision}"`;

/** Whether an If-Match header (one tag, several, or `*`) names the stored version; weak tags never do. */
export function ifMatchHolds(ifMatch: string, entry: StoredEntry): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(entityTag(entry));
}
