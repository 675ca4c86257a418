import type { Issue, IssueCode, JsonObject } from '#lib/domain/input.ts';
import { utcTime } from '#lib/domain/text/utc-time.ts';
import type { Kind } from '#lib/kinds/kinds.ts';

/** A failure or a warning about a document (lib/spec/workspace-document.md section 2). */
export interface Finding {
  readonly kind: Kind | 'document';
  /** The id in the document; the location of a record without id; empty for the document itself. */
  readonly id: string;
  /** The database of an entry with an id. */
  readonly modelId?: string;
  readonly path: string;
  readonly code: IssueCode;
  readonly message: string;
  /** For people: `line 12`, `menu.products[3]`, or `stored` for a record outside the document. */
  readonly location: string;
  /** The number of records before it. Findings are listed in this order. */
  readonly position: number;
}

/** An unchecked record of a document. */
export interface DocumentRecord {
  readonly kind: Kind;
  readonly record: unknown;
  /** `line 12` or `menu.products[3]`. */
  readonly location: string;
  /** The number of records before it. */
  readonly position: number;
  /** The time of the export in UTC. Only the workspace has it. */
  readonly exportedAt?: string | undefined;
}

/** An item of a document in order: a record, or a failure of the document itself. */
export type DocumentItem = DocumentRecord | { readonly failure: Finding };

/** A failure of the document rather than of a record. */
export const failureOfDocument = (location: string, position: number, issue: Issue): Finding => ({
  kind: 'document',
  id: '',
  location,
  position,
  ...issue,
});

export const documentFailure = (location: string, position: number, issue: Issue): DocumentItem => ({
  failure: failureOfDocument(location, position, issue),
});

/** Reads a document from the start. */
export type DocumentSource = () => AsyncIterable<DocumentItem>;

/** The metadata of a document, its issues, and the other members. */
export function headOf({ version, exportedAt, ...members }: JsonObject) {
  const issues: Issue[] = [];
  if (version === undefined) issues.push(refused('required', 'version', 'Is required and must be 1.'));
  else if (version !== 1) issues.push(refused('not_allowed', 'version', 'Must be 1.'));
  const exportTime = typeof exportedAt === 'string' ? utcTime(exportedAt) : undefined;
  if (exportedAt !== undefined && exportTime === undefined) {
    issues.push(refused('format', 'exportedAt', 'Must be a time such as 2026-01-31T09:00:00Z.'));
  }
  return { issues, exportedAt: exportTime, members };
}

export const refused = (code: IssueCode, path: string, message: string): Issue => ({ code, path, message });
