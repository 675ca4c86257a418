import { hashOf } from '#lib/table/access/find-session.ts';
import type { Call } from '#test/support/call.ts';
import { signedInBy, signIn, signInPerson } from '#test/support/signed-in.ts';
import {
  call,
  itAnswersAsDescribed,
  overLimit,
  type Requests,
  repeatWithEtag,
  unavailable,
} from './status-requests.ts';

process.env['OIDC_AUTHORIZE_URL'] = 'https://issuer.example/authorize';
process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout';
process.env['OIDC_CLIENT_ID'] = 'client';

const omar = { workspaceId: 'ws_saffron', address: 'omar@saffron.example' };
const session = await signIn(omar);
const busy = await signIn(omar);
const busyCaller = `session/${hashOf(busy.cookie).slice(0, 32)}`;
const ended = signedInBy(`${session.cookie.slice(0, -43)}${'x'.repeat(43)}`);

const withSession = ({ headers }: typeof session, options: Call = {}): Call => ({
  ...options,
  headers: { ...headers, ...options.headers },
});
const crossSite = (options: Call = {}): Call =>
  withSession(session, { ...options, headers: { 'sec-fetch-site': 'cross-site' } });

/** The refusals of a change by session. */
const changes = (address: string, body?: object) => {
  const options: Call = body ? { body } : {};
  return {
    401: () => call(address, withSession(ended, options)),
    403: () => call(address, crossSite(options)),
    429: overLimit(() => call(address, withSession(busy, options)), busyCaller),
    503: unavailable(() => call(address, withSession(session, options))),
  };
};
/** Additional refusals of a change with a body. */
const refuses = (address: string, body: object) => ({
  ...changes(address, body),
  400: () => call(address, withSession(session, { body: { more: 1 } })),
  413: () => call(address, withSession(session, { body: { ...body, more: 'x'.repeat(1_048_577) } })),
  415: () => call(address, withSession(session, { body, headers: { 'content-type': 'text/plain' } })),
});

const memberships = 'GET /api/v1/session/memberships';
const requests: Requests = {
  sessionLogin: {
    302: () => call('GET /api/v1/session/login', { headers: { host: 'assets.example' } }),
  },
  sessionCallback: { 302: () => call('GET /api/v1/session/callback') },
  sessionSwitch: {
    ...refuses('POST /api/v1/session', { workspaceId: 'ws_saffron' }),
    200: async () =>
      call('POST /api/v1/session', withSession(await signIn(omar), { body: { workspaceId: 'ws_saffron' } })),
    404: () => call('POST /api/v1/session', withSession(session, { body: { workspaceId: 'ws_absent' } })),
  },
  sessionMembershipsList: {
    200: () => call(memberships, withSession(session)),
    304: () => repeatWithEtag(memberships, withSession(session)),
    401: () => call(memberships),
    429: overLimit(() => call(memberships, withSession(busy)), busyCaller),
    503: unavailable(() => call(memberships, withSession(session))),
  },
  sessionMembershipAnswer: {
    ...refuses('POST /api/v1/session/memberships/ws_saffron', { accept: true }),
    204: () => call('POST /api/v1/session/memberships/ws_saffron', withSession(session, { body: { accept: true } })),
    404: () => call('POST /api/v1/session/memberships/ws_absent', withSession(session, { body: { accept: true } })),
    409: () => call('POST /api/v1/session/memberships/ws_saffron', withSession(session, { body: { accept: false } })),
  },
  sessionEnd: {
    ...changes('DELETE /api/v1/session'),
    200: async () => call('DELETE /api/v1/session', withSession(await signIn(omar))),
  },
  profileGet: {
    200: () => call('GET /api/v1/profile', withSession(session)),
    304: () => repeatWithEtag('GET /api/v1/profile', withSession(session)),
    401: () => call('GET /api/v1/profile'),
    403: async () => call('GET /api/v1/profile', withSession(await signInPerson('lina@saffron.example'))),
    429: overLimit(() => call('GET /api/v1/profile', withSession(busy)), busyCaller),
    503: unavailable(() => call('GET /api/v1/profile', withSession(session))),
  },
  profileUpdate: {
    ...refuses('PATCH /api/v1/profile', { language: 'ar' }),
    200: () => call('PATCH /api/v1/profile', withSession(session, { body: { language: 'ar' } })),
    400: () => call('PATCH /api/v1/profile', withSession(session, { body: { language: 'fr' } })),
  },
};

itAnswersAsDescribed(requests, (tag) => tag === 'Sign-in');
