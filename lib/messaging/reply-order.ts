import type { WorkspaceScope } from '#lib/domain/principal.ts';
import type { RequestCounters } from '#lib/http/exchange.ts';
import type { Trace } from '#lib/http/trace-context.ts';
import type { Table } from '#lib/table/table.ts';
import type { ReplyCase } from './reply-case.ts';

/** A case that is complete: it is known where the reply goes to. */
export type ReplyOrder = ReplyCase & {
  readonly channelId: string;
  readonly scope: WorkspaceScope;
  readonly requestId: string;
  readonly trace: Trace | undefined;
  readonly counters: RequestCounters;
  readonly tableFor: (milliseconds: number) => Table;
  /** How long the reply may take. */
  readonly milliseconds: number;
};
