import { expect } from '@jest/globals';
import { startIssuer } from '#lib/local/issuer/issuer.ts';
import { loginAs, signInAs } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { serviceUrl } from '#test/support/sign-in.ts';
import { signIn } from '#test/support/signed-in.ts';
import { storeWorkspace, testTable } from '#test/support/world.ts';
import { answered, shared, type Work } from './work.ts';

const address = 'mona@example.com';
/** Pinned to the subject of the issuer. Members who sign in without it are not pinned. */
const byIssuer = 'nora@example.com';

/** Two workspaces of one person. */
const open = shared(async () => {
  process.env['PUBLIC_URL'] = serviceUrl;
  for (const id of ['ws_session', 'ws_session_2']) {
    const members = [
      { id: 'mem_mona', name: 'Mona', email: address, permissions: [] },
      { id: 'mem_nora', name: 'Nora', email: byIssuer, permissions: [] },
    ];
    await storeWorkspace({
      version: 1,
      workspace: { id, name: id, languages: ['en'], defaultLanguage: 'en' },
      members,
    });
  }
});

const signedIn = async (sinceHours = 0) => {
  await open();
  return signIn({ workspaceId: 'ws_session', address }, Date.now() - sinceHours * 3_600_000);
};

/** A login up to the redirect of the identity provider. Its issuer is stopped after the callback. */
async function callbackAfterLogin() {
  await open();
  const issuer = await startIssuer(testTable(), serviceUrl);
  Object.assign(process.env, issuer.environment);
  return { issuer, login: await loginAs(byIssuer) };
}

export const sessionWork: Work = {
  'session-callback': {
    before: callbackAfterLogin,
    act: async ({ issuer, login }: Awaited<ReturnType<typeof callbackAfterLogin>>) => {
      const { headers } = await call(login.request, { headers: { cookie: login.cookie } });
      await signInAs(byIssuer);
      await issuer.stop();
      expect(headers['location']).toBe('/console');
    },
  },
  'session-switch': {
    before: () => signedIn(),
    act: ({ headers }: Awaited<ReturnType<typeof signedIn>>) =>
      answered('POST /api/v1/session', { headers, body: { workspaceId: 'ws_session_2' } }),
  },
  'session-memberships-list': {
    before: () => signedIn(),
    act: ({ headers }: Awaited<ReturnType<typeof signedIn>>) =>
      answered('GET /api/v1/session/memberships', { headers }),
  },
  'session-membership-answer': {
    // A membership that somebody else has made, with a key.
    before: async () => {
      const session = await signedIn();
      const id = 'ws_session_3';
      await storeWorkspace({
        version: 1,
        workspace: { id, name: id, languages: ['en'], defaultLanguage: 'en' },
        members: [{ id: 'mem_mona', name: 'Mona', email: address, permissions: [], acceptedAt: null }],
        apiKeys: [{ id: 'key_mona', name: 'Key', memberId: 'mem_mona', permissions: [] }],
      });
      return session;
    },
    act: ({ headers }: Awaited<ReturnType<typeof signedIn>>) =>
      answered('POST /api/v1/session/memberships/ws_session_3', { headers, body: { accept: true } }),
  },
  'session-end': {
    before: () => signedIn(),
    act: ({ headers }: Awaited<ReturnType<typeof signedIn>>) => {
      process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout';
      process.env['OIDC_CLIENT_ID'] = 'client';
      return answered('DELETE /api/v1/session', { headers });
    },
  },
  'profile-get': {
    // A session that is old enough to be renewed.
    before: () => signedIn(2),
    act: ({ headers }: Awaited<ReturnType<typeof signedIn>>) => answered('GET /api/v1/profile', { headers }),
  },
  'profile-update': {
    before: () => signedIn(),
    act: ({ headers }: Awaited<ReturnType<typeof signedIn>>) =>
      answered('PATCH /api/v1/profile', { headers, body: { name: 'Mona B.', language: 'ar' } }),
  },
};
