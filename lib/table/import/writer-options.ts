import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Scheduled } from '#lib/domain/schedule.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { RecordKind } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import type { Stamped } from '../writer/time-stamps.ts';

export interface WriterOptions {
  readonly table: Table;
  readonly workspace: Workspace;
  /** Finds the database of entries: in the document first, then in the table. */
  readonly modelOf: (modelId: string) => Promise<Model | undefined>;
  /** The name of a kind in addresses. */
  readonly addressOf: (kind: string) => string;
  readonly importedAt: string;
  readonly concurrentEdits: ConcurrentEdits;
  /** Whether a new workspace begins with the document. That is no change, so there is no event. */
  readonly isBeginning?: boolean | undefined;
}

export type DocumentKind = RecordKind | 'cmsEntry';

/** Handles records that were edited through the service after the import had looked for edits. */
export interface ConcurrentEdits {
  /**
   * Whether the import leaves a stored record as it is.
   * @param item its item, with `editedAt` if the service made the last change
   * @param imported the document's record; undefined if the import would remove the stored one
   */
  keeps(kind: DocumentKind, item: Item, stored: Identified, imported?: object): boolean;
  /** Tells that records stay although the document lacks them, because others have begun to refer to them. */
  stayInUse(kind: RecordKind, ids: Iterable<string>): void;
}

interface Identified {
  readonly id: string;
  /** The database of an entry. */
  readonly modelId?: string;
}

export type ImportedConversation = Omit<Conversation, 'assignee' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Conversation, 'assignee' | 'createdAt' | 'updatedAt'>>;

/** An entry of a document. The import adds missing time stamps. */
export interface ImportedEntry extends Stamped, Scheduled {
  readonly id: string;
  readonly modelId: string;
  readonly values: Readonly<Record<string, unknown>>;
}
