import type { Issue } from '#lib/domain/issue.ts';
import { utcTime } from '#lib/domain/time-stamp.ts';
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
  /** Of the workspace only: when the document was exported, in UTC. */
  readonly exportedAt?: string | undefined;
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

/** Reads a document from its beginning. */
export type DocumentSource = () => AsyncIterable<DocumentItem>;

/** What a document says of itself, beside its workspace. */
export interface DocumentHead {
  readonly version?: unknown;
  readonly exportedAt?: unknown;
}

/** What is wrong with the head of a document. */
export const headIssues = ({ version, exportedAt }: DocumentHead): Issue[] => [
  ...versionIssues(version),
  ...(exportedAt === undefined || exportTime({ exportedAt }) !== undefined ? [] : [exportedAtIssue]),
];

/** When the document was exported, in UTC. */
export const exportTime = ({ exportedAt }: DocumentHead): string | undefined =>
  typeof exportedAt === 'string' ? utcTime(exportedAt) : undefined;

const exportedAtIssue: Issue = {
  path: 'exportedAt',
  code: 'format',
  message: 'Must be a time such as 2026-01-31T09:00:00Z.',
};

/** The one version there is (lib/spec/workspace-document.md section 4). */
function versionIssues(version: unknown): Issue[] {
  if (version === 1) return [];
  if (version === undefined) return [{ path: 'version', code: 'required', message: 'Is required and must be 1.' }];
  return [{ path: 'version', code: 'not_allowed', message: 'Must be 1.' }];
}
