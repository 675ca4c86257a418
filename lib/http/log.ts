import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import type { HttpError } from './errors.ts';
import { describedCauses, metricMembers, type StatusMetric, withoutSecrets, writeLine } from './log-line.ts';
import { originHeader } from './origin-header.ts';
import type { ApiEvent, RequestState } from './request-state.ts';

/** Logs one line for each request. It contains ids of records, but no query strings, bodies or keys. */
export function logRequest(event: ApiEvent, status: number, code?: string): void {
  const { state } = event;
  const { meter, counters } = state;
  const latency = Math.round(milliseconds() - state.startedAt);
  const metrics = {
    // CloudWatch charges every metric of every route, so a small stack makes none that its lines tell anyway.
    ...(process.env['ROUTE_METRICS'] !== 'off' && {
      Latency: latency,
      [statusMetric(status)]: 1,
      ReadUnits: meter?.readUnits,
      WriteUnits: meter?.writeUnits,
    }),
    AiTokens: counters.aiTokens,
    AiReplyFailures: counters.aiReplyFailures,
  };
  writeLine({
    level: status >= 500 ? 'error' : 'info',
    ...subject(state),
    ...(namesRecords(status) && recordsOf(state)),
    status,
    code,
    milliseconds: latency,
    dynamodb: meter,
    ...metricMembers(state.route.gatewayPath, metrics),
  });
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
  const causes = describedCauses(error, credentialsOf(event));
  writeLine({ level: 'error', ...subject(event.state), code: answered.code, causes });
}

const subject = ({ requestId, trace, route, caller, method, principal, refusedKey, secret }: RequestState) => ({
  time: new Date().toISOString(),
  requestId,
  traceId: trace && withoutKey(trace.id, secret),
  route: route.gatewayPath,
  method,
  caller,
  workspaceId: (principal ?? refusedKey)?.workspaceId,
  keyId: (principal ?? refusedKey)?.keyId,
});

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

/** 304 is a success. */
const statusMetric = (status: number): StatusMetric =>
  status < 400 ? 'Status2xx' : status < 500 ? 'Status4xx' : 'Status5xx';
