import type { IssueCode } from '#lib/domain/issue.ts';
import type { Kind } from './document-kinds.ts';

/**
 * One thing that is wrong, or doubtful, about a document (lib/spec/workspace-document.md section 2: kind, id, path,
 * message).
 */
export interface Finding {
  readonly kind: Kind | 'document';
  /** As given; of a record without one, where it stands; of the document itself, empty. */
  readonly id: string;
  readonly path: string;
  readonly code: IssueCode;
  readonly message: string;
  /** For people: `line 12` or `menu.products[3]`, or that the record is not in the document but stored. */
  readonly place: string;
  /** How many records stand before; findings are listed in this order. */
  readonly position: number;
}
