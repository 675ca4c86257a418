import type { RecordKind } from '../keys.ts';
import type { Item } from '../schema.ts';

/** The kinds of records that a document has. */
export type DocumentKind = RecordKind | 'cmsModel' | 'cmsEntry' | 'apiKey';

/** Handles records that were edited through the service after the import had looked for edits. */
export interface ConcurrentEdits {
  /**
   * Whether the import leaves a stored record as it is.
   * @param item its item, with `editedAt` if the service made the last change
   * @param imported the document's record; undefined if the import would remove the stored one
   */
  keeps(kind: DocumentKind, item: Item, stored: Identified, imported?: object): boolean;
}

interface Identified {
  readonly id: string;
  /** The database of an entry. */
  readonly modelId?: string;
}
