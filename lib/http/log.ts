import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import type { HttpError } from './errors.ts';
import { originHeader } from './origin-header.ts';
import type { ApiEvent, RequestState } from './request-state.ts';

/** Each stage has its own namespace. */
const namespace = process.env['METRIC_NAMESPACE'] ?? 'WorkspaceApi';

/** Functions share a log. A request's line names its route instead. */
const functionName = (): string | undefined => process.env['AWS_LAMBDA_FUNCTION_NAME'];

/** CloudWatch charges every metric of every route, so a small stack makes none that its lines tell anyway. */
const hasRouteMetrics = (): boolean => process.env['ROUTE_METRICS'] !== 'off';

function write(entry: Readonly<Record<string, unknown>>): void {
  if (process.env['LOG_LEVEL'] !== 'silent') process.stdout.write(`${logLine(entry)}\n`);
}

/**
 * Logs one line for each request: caller, route, result, cost and the metrics of the route. It contains ids of records,
 * but no query strings, bodies or keys.
 */
export function logRequest(event: ApiEvent, status: number, code?: string): void {
  const { state } = event;
  const { meter, counters } = state;
  const latency = Math.round(milliseconds() - state.startedAt);
  const metrics = {
    ...(hasRouteMetrics() && {
      Latency: latency,
      [statusMetric(status)]: 1,
      ReadUnits: meter?.readUnits,
      WriteUnits: meter?.writeUnits,
    }),
    AiTokens: counters.aiTokens,
    AiReplyFailures: counters.aiReplyFailures,
  };
  const entry = {
    level: status >= 500 ? 'error' : 'info',
    time: new Date().toISOString(),
    ...subject(state),
    ...(namesRecords(status) && recordsOf(state)),
    status,
    code,
    milliseconds: latency,
    dynamodb: meter,
    ...metricMembers(namespace, state.route.gatewayPath, metrics),
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
export function logFailure(event: ApiEvent, answered: Pick<HttpError, 'code'>, error: unknown): void {
  const credentials = credentialsOf(event);
  const entry = {
    level: 'error',
    time: new Date().toISOString(),
    ...subject(event.state),
    code: answered.code,
    causes: describedCauses(error, credentials),
  };
  write(entry);
}

/** Logs an error outside of the handling of a request, with its causes. */
export const logError = (message: string, error: unknown): void =>
  logWork('error', message, { causes: describedCauses(error, []) });

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
  write({ level, time: new Date().toISOString(), function: functionName(), message, ...about, ...metrics });
}

const subject = ({ requestId, trace, route, caller, method, principal, refusedKey, secret }: RequestState) => ({
  requestId,
  traceId: trace && withoutKey(trace.id, secret),
  route: route.gatewayPath,
  method,
  caller,
  workspaceId: (principal ?? refusedKey)?.workspaceId,
  keyId: (principal ?? refusedKey)?.keyId,
});

const describedCauses = (error: unknown, credentials: readonly string[]) =>
  causesOf(error).map(({ name, message, stack = '' }) => ({
    name,
    message: withoutSecrets(message, credentials),
    stack: withoutSecrets(stack, credentials),
  }));

const causesMax = 5;

function causesOf(error: unknown, max = causesMax): Error[] {
  return error instanceof Error && max > 0 ? [error, ...causesOf(error.cause, max - 1)] : [];
}

/** Shorter strings are not credentials, and could be part of any word. */
const charactersMin = 8;

/** All credentials that a request carries, even those that its route does not read. */
function credentialsOf({
  headers,
  rawQueryString,
  cookies = [],
}: Pick<ApiEvent, 'headers' | 'rawQueryString' | 'cookies'>): string[] {
  const { authorization = '', 'x-api-key': key = '', cookie = '', [originHeader]: origin = '' } = headers;
  const query = new URLSearchParams(rawQueryString);
  // `code` and `state` belong to a sign-in.
  const inQuery = ['apiKey', 'code', 'state'].flatMap((name) => query.getAll(name));
  const values = [...cookies, ...cookie.split(/;\s*/)].flatMap((pair) => [pair, pair.slice(pair.indexOf('=') + 1)]);
  const bearer = authorization.trim().split(/\s+/).slice(1);
  return [authorization, ...bearer, key, cookie, origin, ...inQuery, ...values].filter(
    ({ length }) => length >= charactersMin,
  );
}

/** The metrics in log lines (CloudWatch embedded metric format): numbers, but for the time. */
type MetricName =
  | 'Latency'
  | StatusMetric
  | 'ReadUnits'
  | 'WriteUnits'
  | 'AiTokens'
  | 'AiReplyFailures'
  | 'Mails'
  | 'Webhooks';
type StatusMetric = 'Status2xx' | 'Status4xx' | 'Status5xx';
type Metrics = { readonly [Name in MetricName]?: number | undefined };

/** A request's line names its route anyway. */
const dimension = 'route';

/**
 * The properties of a log line from which CloudWatch makes metrics, at no cost for the request.
 * @param namespace of the stage's metrics
 * @param route the path of an endpoint, or the name of a function that answers no requests
 */
function metricMembers(namespace: string, route: string, metrics: Metrics): Readonly<Record<string, unknown>> {
  const defined = Object.entries(metrics).filter(([, value]) => value !== undefined);
  if (defined.length === 0) return {};
  const Metrics = defined.map(([Name]) => ({ Name, ...(Name === 'Latency' && { Unit: 'Milliseconds' }) }));
  return {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [[dimension]], Metrics }],
    },
    [dimension]: route,
    ...Object.fromEntries(defined),
  };
}

/** 304 is a success. */
const statusMetric = (status: number): StatusMetric =>
  status < 400 ? 'Status2xx' : status < 500 ? 'Status4xx' : 'Status5xx';

const lineBytesMax = 32 * 1_024;
/** Bounds for each text of a line. The next bound applies when the line is still too long. */
const textBounds = [4_000, 400, 40] as const;
const itemsMax = 50;

const removed = '[removed]';
/** Secrets that the service generates. They are removed from every text of a log line. */
const generatedSecret = /ws[kst]_[0-9A-Za-z]{8,}/g;
/**
 * Line ends, control characters and direction marks. JSON does not escape them, but terminals and log viewers interpret
 * them.
 */
const unsafe = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One log entry as one line of JSON, at most 32 KB. */
function logLine(entry: Readonly<Record<string, unknown>>): string {
  for (const bound of textBounds) {
    const line = JSON.stringify(entry, bounded(bound)).replaceAll(unsafe, escaped);
    if (Buffer.byteLength(line) <= lineBytesMax) return line;
  }
  const { level, time, requestId } = entry;
  return JSON.stringify({
    level,
    time,
    requestId,
    function: functionName(),
    message: 'An entry was too long for the log.',
  });
}

const bounded =
  (charactersMax: number) =>
  (_name: string, value: unknown): unknown => {
    if (typeof value === 'string') return cut(value.replaceAll(generatedSecret, removed), charactersMax);
    return Array.isArray(value) && value.length > itemsMax ? value.slice(0, itemsMax) : value;
  };

const cut = (text: string, charactersMax: number): string =>
  text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * A text without secrets. Callers choose most of their credentials, so this must not be used on members that the service
 * sets: a cookie could remove them.
 */
const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((safe, secret) => safe.replaceAll(secret, removed), text);
