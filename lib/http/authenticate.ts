import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '#lib/domain/access/principal.ts';
import { recordUse } from '#lib/table/access/api-keys.ts';
import { type CountedCaller, type RateDecision, RateLimiter } from '#lib/table/access/rate-limiter.ts';
import type { Table } from '#lib/table/table.ts';
import { credentialOf } from './callers.ts';
import { originRefusal } from './cors.ts';
import type { Endpoint } from './declaration.ts';
import { callersOf } from './endpoint.ts';
import { crossOrigin, rateLimited, workspaceRequired } from './errors.ts';
import { refusalOf } from './permissions.ts';
import { publicUrl } from './public-url.ts';
import { isParameterOf } from './query.ts';
import type { ApiEvent, RequestState } from './request-state.ts';

/** The maximum number of calls of a caller per minute; undefined if the deployment sets no limit. */
const perMinute = Number(process.env['RATE_LIMIT'] ?? '0');
const limiter = new RateLimiter();

/** Work for a caller that may still be refused, so it changes nothing before `writes` of the request are allowed. */
export type EarlyWork = (event: ApiEvent, caller: Principal) => Promise<unknown> | undefined;

/**
 * Identifies the caller and checks that it may call: credential (401), origin (403), rate limit (429), permissions
 * (403), in the order of lib/spec/decisions.md section 1. It sets `principal`, and `early` if work was begun for it.
 * @param work begins beside the read of the credential, for the caller that the credential had at its last use in this
 * container. Its result counts only if the stored credential still has exactly this caller
 */
export const authenticate = (endpoint: Endpoint, work?: EarlyWork) => ({
  before: async ({ event }: { event: ApiEvent }) => {
    const { state } = event;
    const table = tableOf(state);
    const credential = credentialOf(endpoint, event);
    const assumed = work && credential.lastSeen?.();
    // It may read the log, which proves many credentials, so it comes first.
    const early = assumed && begin(event, assumed, work);
    const principal = await credential.find(table);
    const refused = principal ? undefined : await credential.refusedKey?.(table);
    if (principal ?? refused) state.secret = credential.secret;
    if (refused) state.refusedKey = refused;
    if (!principal) throw credential.refusal();
    state.principal = principal;
    requireSameOrigin(event, principal);
    if (principal.kind === 'person' && !callersOf(endpoint).includes('person')) throw workspaceRequired();
    nameIgnoredParameters(state);
    await requireWithinLimit(state, principal);
    const refusal = originRefusal(event, principal) ?? refusalOf(state.route.endpoint, principal);
    if (refusal) throw refusal;
    const { kind, workspaceId, keyId } = principal;
    if (kind === 'key' && keyId !== undefined) recordUse(table, { workspaceId, keyId });
    if (early && isDeepStrictEqual(assumed, principal)) state.early = early;
    else state.writes?.refuse();
  },
});

/** The pipeline has opened it. */
const tableOf = ({ table }: RequestState) => table as Table;

/**
 * Begins work for an expected caller, unless its request would be refused. If it was over its rate limit last time, the
 * work begins after the call is counted.
 */
function begin(event: ApiEvent, assumed: Principal, work: EarlyWork): Promise<unknown> | undefined {
  const { state } = event;
  const refusal = originRefusal(event, assumed) ?? refusalOf(state.route.endpoint, assumed);
  if (state.requestIssues.length > 0 || refusal) return undefined;
  const wasOverLimit = perMinute > 0 && limiter.wasEmpty(tableOf(state), assumed);
  const decision = countCall(state, assumed);
  const result = wasOverLimit
    ? decision?.then(({ isAllowed }) => (isAllowed ? work(event, assumed) : undefined))
    : work(event, assumed);
  result?.catch(() => undefined);
  return result;
}

/** Counts a call, once for each request. @returns undefined without a limit @throws Unavailable */
function countCall(state: RequestState, { workspaceId, callerId }: CountedCaller): Promise<RateDecision> | undefined {
  if (!(perMinute > 0)) return undefined;
  const { rate } = state;
  if (rate?.workspaceId === workspaceId && rate.callerId === callerId) return rate.decision;
  const decision = limiter.take(tableOf(state), { workspaceId, callerId }, perMinute);
  // The failure reaches the code that awaits the decision. A speculation may end without awaiting it.
  decision.catch(() => undefined);
  state.rate = { workspaceId, callerId, decision };
  return decision;
}

/** Counts every call of a caller, failed ones included. @throws 429 with the remaining calls and the seconds to wait */
async function requireWithinLimit(state: RequestState, principal: Principal): Promise<void> {
  const decision = await countCall(state, principal);
  if (!decision) return;
  state.headers = { ...state.headers, ...rateHeaders(decision) };
  if (!decision.isAllowed) throw rateLimited(decision.retryAfter, principal.kind);
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
const rateHeaders = ({ remaining, fullIn }: RateDecision): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${perMinute};w=60`,
  ratelimit: `"key";r=${remaining};t=${fullIn}`,
});

/**
 * Refuses changes by session from pages of other origins, in addition to the cookie's SameSite (lib/spec/additions.md
 * section 6). Functions without the public address rely on `Sec-Fetch-Site` of the browser.
 * @throws 403 `cross_origin`
 */
function requireSameOrigin({ state: { method }, headers }: ApiEvent, { kind }: Principal): void {
  if ((kind !== 'session' && kind !== 'person') || method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  const isSame = site === undefined ? isPublicOrigin(headers['origin']) : site === 'same-origin';
  if (!isSame) throw crossOrigin();
}

const isPublicOrigin = (origin: string | undefined): boolean => {
  const address = publicUrl();
  return address !== undefined && origin === new URL(address).origin;
};

const namesMax = 20;
/** Gateways limit the total size of headers. Names that do not fit are left out. */
const charactersMax = 2_000;

/** Names parameters without effect to identified callers, in the order sent (lib/spec/additions.md section 1). */
function nameIgnoredParameters(state: RequestState): void {
  const { query, keyIn } = state.route.endpoint;
  const isIgnored = (name: string) => !isParameterOf(query, name) && !(name === 'apiKey' && keyIn.includes('query'));
  const ignored = [...new Set(state.queryString.keys())].filter((name) => name !== '' && isIgnored(name));
  const names = whatFits(ignored.slice(0, namesMax).map(encodeURIComponent));
  if (names) state.headers = { ...state.headers, 'x-ignored-parameters': names };
}

const whatFits = (names: readonly string[]): string =>
  names.reduce((text, name) => {
    const longer = text === '' ? name : `${text}, ${name}`;
    return longer.length > charactersMax ? text : longer;
  }, '');
