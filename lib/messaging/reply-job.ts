import type { Principal, WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { RequestCounters, Trace } from '#lib/http/request-state.ts';
import type { Table } from '#lib/table/table.ts';
import type { ReplyContext } from './reply-context.ts';

/** A reply to generate: its context with the channel found, and the means to generate it. */
export type ReplyJob = ReplyContext & {
  readonly channelId: string;
  /** The caller's workspace, and the visitor if the caller is one. */
  readonly scope: WorkspaceScope & Pick<Principal, 'visitor'>;
  readonly requestId: string;
  readonly trace: Trace | undefined;
  readonly counters: RequestCounters;
  readonly tableFor: (milliseconds: number) => Table;
  /** The time limit of the reply. */
  readonly milliseconds: number;
};
