import type { Model } from '#lib/domain/cms/cms-model.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { Table } from '../table.ts';
import type { ConcurrentEdits } from './concurrent-edits.ts';

export interface WriterOptions {
  readonly table: Table;
  readonly workspace: Workspace;
  /** Finds the database of entries: in the document first, then in the table. */
  readonly modelOf: (modelId: string) => Promise<Model | undefined>;
  readonly importedAt: string;
  readonly concurrentEdits: ConcurrentEdits;
}
