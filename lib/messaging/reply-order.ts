import type { WorkspaceScope } from '#lib/domain/principal.ts';
import type { Table } from '#lib/table/table.ts';
import type { ReplyCase } from './reply-case.ts';

/** A case that is complete: it is known where the reply goes to. */
export type ReplyOrder = ReplyCase & {
  readonly channelId: string;
  readonly scope: WorkspaceScope;
  readonly requestId: string;
  readonly tableFor: (milliseconds: number) => Table;
  /** How long the reply may take. */
  readonly milliseconds: number;
};
