import type { Readable } from 'node:stream';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { KeyIdentity } from '#lib/table/access/api-keys.ts';
import type { CountedCaller, RateDecision } from '#lib/table/access/rate-limiter.ts';
import type { Meter } from '#lib/table/dynamodb/client.ts';
import type { Table } from '#lib/table/table.ts';
import type { DeclaredRoute } from './declaration.ts';
import type { RequestIssue } from './errors.ts';

/** The trace that a request belongs to. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Two hexadecimal digits: whether the caller records the trace. */
  readonly flags: string;
}

/** The state of one request. The middlewares fill it in their order. */
export interface RequestState {
  readonly requestId: string;
  /** On the clock of lib/table/dynamodb/clock.ts. */
  readonly startedAt: number;
  readonly method: string;
  readonly queryString: URLSearchParams;
  /** The trace that the caller sent. */
  readonly trace: Trace | undefined;
  /** The route of the request; before it is known, the whole endpoint. */
  route: DeclaredRoute;
  /** Whether visitors' tokens may use the route. */
  readonly isForVisitors: boolean;
  /** The hash of the caller's address; route.ts. */
  caller?: string;
  /** open-table.ts sets it. */
  table?: Table;
  meter?: Meter;
  /** Opens a table for work that takes longer than the answer. Its calls are counted, too. */
  tableFor?: (milliseconds: number) => Table;
  /** Ends all calls of `table`, so that a refused request reads no more. */
  stop?: () => void;
  params: Readonly<Record<string, string>>;
  /** Whether the caller is identified by the cookie of a session. */
  isBySession?: true;
  principal?: Principal;
  /** The stored key, token or cookie of the caller. Unlike other credentials, the caller did not choose it. */
  secret?: string;
  /** The caller for the rate limit, with the decision on the call. */
  rate?: CountedCaller & { readonly decision: Promise<RateDecision> };
  /** The result of work that began before the caller was known. */
  early?: Promise<unknown>;
  /** What that work may change waits for one of these. */
  writes?: { readonly allow: () => void; readonly refuse: () => void };
  /** A stored key that is not valid: it is revoked or expired, or its member is inactive. */
  refusedKey?: KeyIdentity;
  /** Further members of the log line: ids of records, never content. */
  readonly logDetails: Record<string, string | readonly string[]>;
  readonly counters: RequestCounters;
  /** The ETag, if it names the content of the answer and not a stored record. */
  contentTag?: string;
  /** Headers of every answer to this request, errors included. */
  headers?: Readonly<Record<string, string>>;
  /** Issues of the request that need no stored data. They are answered together. */
  readonly requestIssues: RequestIssue[];
  query?: unknown;
  /** The headers that the declaration reads. */
  sentHeaders?: unknown;
  body?: unknown;
}

/** Usage of resources other than the table, which are only AI replies. */
export interface RequestCounters {
  aiTokens?: number;
  aiReplyFailures?: number;
}

/** The event of payload format 2.0 with the state of its handling. */
export interface ApiEvent extends APIGatewayProxyEventV2 {
  state: RequestState;
  /** The body of a request over plain HTTP, where there is no event to carry it. */
  arriving?: Readable;
}

export type ApiResult = APIGatewayProxyStructuredResultV2;

/** The stream that a function hands to the runtime. */
export interface StreamResult {
  readonly statusCode: number;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array | string> | undefined;
}
