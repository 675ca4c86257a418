import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';

/** One strong tag for each stored version of an entry, whatever of it is shown (lib/spec/decisions.md section 3). */
export const entityTag = ({ revision }: StoredEntry): string => `"${revision}"`;
