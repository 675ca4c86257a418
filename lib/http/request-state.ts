import type { Readable } from 'node:stream';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Principal } from '#lib/domain/access/principal.ts';
import type { KeyIdentity } from '#lib/table/access/api-keys.ts';
import type { CountedCaller, RateDecision } from '#lib/table/access/rate-limiter.ts';
import type { Meter } from '#lib/table/dynamodb/meter.ts';
import type { Table } from '#lib/table/table.ts';
import type { RequestIssue } from './errors.ts';
import type { Trace } from './trace-context.ts';

/** The state of one request. The middlewares fill it in their order. */
export interface RequestState {
  readonly requestId: string;
  /** On the clock of lib/table/dynamodb/clock.ts. */
  readonly startedAt: number;
  readonly method: string;
  readonly queryString: URLSearchParams;
  /** That the caller says this request belongs to. */
  readonly trace: Trace | undefined;
  /** Whether visitors' tokens open the route. */
  isForVisitors?: boolean;
  /** A name for the caller's address, from the middleware `requireOrigin` on. */
  caller?: string;
  /** Open from the middleware `openTable` on. */
  table?: Table;
  meter?: Meter;
  /** Opens the table once more, for work that goes on beside the answer; its calls are counted with the others. */
  tableFor?: (milliseconds: number) => Table;
  /** Ends the calls of `table`: a refused request reads no more, whatever has begun for it. */
  stop?: () => void;
  params: Readonly<Record<string, string>>;
  /** Whether the request is judged by the cookie of a session. */
  isBySession?: true;
  principal?: Principal;
  /** The call as the rate limit counts it. */
  rate?: CountedCaller & { readonly decision: Promise<RateDecision> };
  /** Work that began for a guessed caller, before the credential was read. */
  speculation?: Speculation;
  /** A stored key that does not count: it is revoked or expired, or its member is inactive. */
  refusedKey?: KeyIdentity;
  /** Further members of the request's log line: ids of stored records, never a text. */
  readonly logDetails: Record<string, string | readonly string[]>;
  readonly counters: RequestCounters;
  /** The answer's tag when it names the content of the answer and not a stored record. */
  contentTag?: string;
  /** Headers that the answer gets, whatever it is. */
  headers?: Readonly<Record<string, string>>;
  /** The parsed JSON body, before its schema has seen it. */
  json?: unknown;
  /** Faults of the request that need no stored data. They are answered together. */
  readonly requestIssues: RequestIssue[];
  query?: unknown;
  /** Those that the declaration names. */
  sentHeaders?: unknown;
  body?: unknown;
}

export interface Speculation {
  /** The result counts only if the key that was read says exactly the same. */
  readonly principal: Principal;
  readonly result: Promise<unknown>;
}

/** Usage beside the table. Only AI replies count here. */
export interface RequestCounters {
  aiTokens?: number;
  aiReplyFailures?: number;
}

/** The event of payload format 2.0 with the state of its handling. */
export interface ApiEvent extends APIGatewayProxyEventV2 {
  state: RequestState;
  /** The body of a request over plain HTTP, which no event carries. */
  arriving?: Readable;
}

export type ApiResult = APIGatewayProxyStructuredResultV2;

/** The stream that a function hands to the runtime. */
export interface StreamResult {
  readonly statusCode: number;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array | string> | undefined;
}
