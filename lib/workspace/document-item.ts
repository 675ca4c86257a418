import type { Issue } from '#lib/domain/issue.ts';
import type { Kind } from './document-kinds.ts';
import type { Finding } from './finding.ts';

/** A record as it stands in a document, not yet looked at. */
export interface DocumentRecord {
  readonly kind: Kind;
  readonly record: unknown;
  /** `line 12` or `menu.products[3]`. */
  readonly place: string;
  /** How many records stand before. */
  readonly position: number;
}

/** What reading a document finds, in order: records, and what is wrong with the document itself. */
export type DocumentItem = DocumentRecord | { readonly failure: Finding };

/** What is wrong with the document rather than with a record. */
export const failureOfDocument = (place: string, position: number, issue: Issue): Finding => ({
  ...{ kind: 'document', id: '', place, position },
  ...issue,
});

export const documentFailure = (place: string, position: number, issue: Issue): DocumentItem => ({
  failure: failureOfDocument(place, position, issue),
});

/** The one version there is (lib/spec/workspace-document.md section 4). */
export function versionIssue(version: unknown): Issue | undefined {
  if (version === 1) return undefined;
  if (version === undefined) return { path: 'version', code: 'required', message: 'Is required and must be 1.' };
  return { path: 'version', code: 'not_allowed', message: 'Must be 1.' };
}
