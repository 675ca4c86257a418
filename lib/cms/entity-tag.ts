import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';

/**
 * The strong ETag of a stored version of an entry. It does not depend on the fields that are shown
 * (lib/spec/decisions.md section 3).
 */
export const entityTag = ({ revision }: StoredEntry): string => `"${revision}"`;
