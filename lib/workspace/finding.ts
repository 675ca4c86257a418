import type { IssueCode } from '#lib/domain/input.ts';
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
