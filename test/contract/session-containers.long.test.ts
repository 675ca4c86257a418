import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cookieIn } from '#test/support/browser-steps.ts';
import type { Answer } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { adminKeys, changeMember, openSignIns } from '#test/support/sign-in.ts';
import { type SignedIn, signedInBy, signIn } from '#test/support/signed-in.ts';

await openSignIns();
process.env['OIDC_LOGOUT_URL'] = 'https://issuer.example/logout';
process.env['OIDC_CLIENT_ID'] = 'client';

let containers: Containers;
beforeAll(async () => {
  containers = await Containers.start(3);
});
afterAll(() => containers[Symbol.asyncDispose]());

const profile = 'GET /api/v1/profile';
const ali = () => signIn({ workspaceId: 'ws_apple', address: 'ali@example.com' });
const mona = () => signIn({ workspaceId: 'ws_apple', address: 'mona@example.com' });
const at = (number: number, { headers }: SignedIn, request: string, body?: object): Promise<Answer> =>
  containers.at(number).call(request, { headers, ...(body && { body }) });
/** The answers of all containers to the session. Each has read it before. */
const everywhere = async (session: SignedIn, request = profile) =>
  Promise.all([0, 1, 2].map((number) => at(number, session, request)));
const statuses = async (session: SignedIn, request?: string) =>
  (await everywhere(session, request)).map(({ status }) => status);

it('a session that one container has ended is refused by every other', async () => {
  const session = await ali();
  expect(await statuses(session)).toEqual([200, 200, 200]);
  expect((await at(0, session, 'DELETE /api/v1/session')).status).toBe(200);
  expect(await statuses(session)).toEqual([401, 401, 401]);
  expect(await statuses(session, 'GET /api/public/menu/products')).toEqual([401, 401, 401]);
});

it('after a switch in one container, every other accepts only the new cookie', async () => {
  const session = await mona();
  expect(await statuses(session)).toEqual([200, 200, 200]);
  const { headers, json } = await at(1, session, 'POST /api/v1/session', { workspaceId: 'ws_pear' });
  const switched = signedInBy(cookieIn(headers['set-cookie']).replace('__Host-session=', ''));
  expect(await statuses(session)).toEqual([401, 401, 401]);
  expect((await everywhere(switched)).map((answer) => answer.json)).toEqual([json, json, json]);
});

it('after a change of the profile in one container, every other shows it with a new ETag', async () => {
  const session = await ali();
  const before = await everywhere(session);
  expect(new Set(before.map(({ headers }) => headers['etag'])).size).toBe(1);
  const changed = await at(2, session, 'PATCH /api/v1/profile', { name: `Ali ${Date.now()}`, language: 'en' });
  expect(changed.status).toBe(200);
  const after = await everywhere(session);
  expect(after.map(({ json }) => json)).toEqual([changed.json, changed.json, changed.json]);
  const tags = new Set(after.map(({ headers }) => headers['etag']));
  expect([tags.size, tags.has(before[0]?.headers['etag'])]).toEqual([1, false]);
  expect((await containers.at(0).call('GET /api/v1/manage/members/mem_ali', { key: adminKeys.apple })).json.name).toBe(
    changed.json.name,
  );
});

it('concurrent changes of the profile in two containers are both kept', async () => {
  const session = await ali();
  const name = `Ali ${Date.now()}`;
  const language = 'ar';
  const answers = await Promise.all([
    at(0, session, 'PATCH /api/v1/profile', { name }),
    at(1, session, 'PATCH /api/v1/profile', { language }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const { json } of await everywhere(session)) expect(json).toMatchObject({ name, language });
});

it('a removed permission and a deactivated member take effect everywhere on the next request', async () => {
  const session = await ali();
  const products = 'GET /api/public/menu/products';
  expect(await statuses(session, products)).toEqual([200, 200, 200]);
  await changeMember('mem_ali', { permissions: [] });
  expect(await statuses(session, products)).toEqual([403, 403, 403]);
  await changeMember('mem_ali', { permissions: ['menu:product:read'] });
  expect(await statuses(session, products)).toEqual([200, 200, 200]);
  await changeMember('mem_ali', { active: false });
  expect(await statuses(session, products)).toEqual([401, 401, 401]);
  await changeMember('mem_ali', { active: true });
  expect(await statuses(session, products)).toEqual([401, 401, 401]);
});

it('a concurrent switch and sign-out in two containers leave no session that the sign-out has ended', async () => {
  for (let time = 0; time < 5; time++) {
    const session = await mona();
    const [ended, switched] = await Promise.all([
      at(0, session, 'DELETE /api/v1/session'),
      at(1, session, 'POST /api/v1/session', { workspaceId: 'ws_pear' }),
    ]);
    expect([200, 401]).toContain(ended.status);
    if (switched.status !== 200) expect(switched.status).toBe(401);
    else {
      const next = signedInBy(cookieIn(switched.headers['set-cookie']).replace('__Host-session=', ''));
      const left = ended.status === 200 ? 401 : 200;
      expect(await statuses(next)).toEqual([left, left, left]);
    }
  }
});
