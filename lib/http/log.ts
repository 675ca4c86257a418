import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { credentialsOf } from './credentials.ts';
import type { HttpError } from './errors.ts';
import { logLine, withoutSecrets } from './log-line.ts';
import { type Metrics, metricMembers, statusMetrics } from './metrics.ts';
import type { ApiEvent, RequestState } from './request-state.ts';

/** Each stage has its own namespace. */
const namespace = process.env['METRIC_NAMESPACE'] ?? 'WorkspaceApi';

function write(entry: Readonly<Record<string, unknown>>): void {
  if (process.env['LOG_LEVEL'] !== 'silent') process.stdout.write(`${logLine(entry)}\n`);
}

/**
 * Logs one line for each request: caller, route, result, cost and the metrics of the route. It contains ids of records,
 * but no query strings, bodies or keys.
 */
export function logRequest(route: string, event: ApiEvent, status: number, code?: string): void {
  const { state } = event;
  const { meter, counters } = state;
  const latency = Math.round(milliseconds() - state.startedAt);
  const metrics = {
    Latency: latency,
    ...statusMetrics(status),
    ReadUnits: meter?.readUnits,
    WriteUnits: meter?.writeUnits,
    AiTokens: counters.aiTokens,
    AiReplyFailures: counters.aiReplyFailures,
  };
  const entry = {
    level: status >= 500 ? 'error' : 'info',
    time: new Date().toISOString(),
    ...subject(route, state),
    ...(namesRecords(status) && recordsOf(state)),
    status,
    code,
    milliseconds: latency,
    dynamodb: meter,
    ...metricMembers(namespace, route, metrics),
  };
  write(entry);
}

/** Whether the ids of an answer belong to records. An unknown id may be any string in the address, even a key. */
const namesRecords = (status: number): boolean => status < 400 || status === 409 || status === 412;

/** The ids of records. A caller may have named a record by its own key. */
const recordsOf = ({ logDetails, secret }: RequestState) =>
  Object.fromEntries(
    Object.entries(logDetails).map(([name, ids]) => [
      name,
      typeof ids === 'string' ? withoutKey(ids, secret) : ids.map((id) => withoutKey(id, secret)),
    ]),
  );

const withoutKey = (text: string, secret: string | undefined): string =>
  secret === undefined ? text : withoutSecrets(text, [secret]);

/** Logs the cause of a 5xx or of an interrupted answer: names and stacks of the error and its causes. */
export function logFailure(route: string, event: ApiEvent, answered: Pick<HttpError, 'code'>, error: unknown): void {
  const credentials = credentialsOf(event);
  const entry = {
    level: 'error',
    time: new Date().toISOString(),
    ...subject(route, event.state),
    code: answered.code,
    causes: causesOf(error).map(({ name, message, stack = '' }) => ({
      name,
      message: withoutSecrets(message, credentials),
      stack: withoutSecrets(stack, credentials),
    })),
  };
  write(entry);
}

/**
 * Logs one line about work outside of a request.
 * @param measured the metrics, and their function or route
 */
export function logWork(
  level: 'info' | 'warn' | 'error',
  message: string,
  about: Readonly<Record<string, unknown>>,
  measured?: { readonly route: string; readonly metrics: Metrics },
): void {
  const metrics = measured && metricMembers(namespace, measured.route, measured.metrics);
  write({ level, time: new Date().toISOString(), message, ...about, ...metrics });
}

const subject = (route: string, { requestId, trace, caller, method, principal, refusedKey, secret }: RequestState) => ({
  requestId,
  traceId: trace && withoutKey(trace.id, secret),
  route,
  method,
  caller,
  workspaceId: (principal ?? refusedKey)?.workspaceId,
  keyId: (principal ?? refusedKey)?.keyId,
});

const causesMax = 5;

function causesOf(error: unknown, max = causesMax): Error[] {
  return error instanceof Error && max > 0 ? [error, ...causesOf(error.cause, max - 1)] : [];
}
