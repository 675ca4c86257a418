import { describe, expect, it } from '@jest/globals';
import { findEndpoints } from '#lib/endpoints.ts';
import { callersOf, routesOf } from '#lib/http/endpoint.ts';
import { type Call, call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { acceptMembership, signedInBy, signIn } from '#test/support/signed-in.ts';

await openDemo();
const publicUrl = process.env['PUBLIC_URL'] ?? '';
const sara = await signIn({ workspaceId: 'ws_saffron', address: 'sara@saffron.example' });
const lina = await signIn({ workspaceId: 'ws_saffron', address: 'lina@saffron.example' });
const chefs = 'GET /api/public/cms/chefs/list';
const customers = '/api/v1/manage/customers';
const talk = '/api/v1/connect/conversations/conv_huda';
const outcome = async (answer: ReturnType<typeof call>) => {
  const { status, json } = await answer;
  return [status, json?.code];
};
const ok = [200, undefined];
const anyBody = { name: 'Customer' };

it('the routes of the specification accept a session, and no others', async () => {
  const routes = (await findEndpoints()).flatMap(({ endpoint }) => routesOf(endpoint));
  const takers = routes.filter(({ endpoint }) => callersOf(endpoint).includes('session'));
  const paths = takers.map(({ endpoint: { methods, path } }) => `${methods[0]} ${path}`);
  const beyondManagement = paths.filter((path) => !/ \/api\/v1\/(?:manage|connect\/conversations)(?:\/|$)/.test(path));
  expect(beyondManagement.sort()).toEqual([
    'DELETE /api/v1/session',
    'GET /api/public/cms/{modelId}/list',
    'GET /api/public/cms/{modelId}/{id}',
    'GET /api/public/forms/{slug}',
    'GET /api/public/menu/categories',
    'GET /api/public/menu/products',
    'GET /api/v1/connect/assets/{key+}',
    'GET /api/v1/events',
    'GET /api/v1/profile',
    'GET /api/v1/session/memberships',
    'PATCH /api/public/cms/{modelId}/{id}',
    'PATCH /api/v1/profile',
    'POST /api/v1/connect/ai-stream',
    'POST /api/v1/connect/attachments',
    'POST /api/v1/connect/attachments/announce',
    'POST /api/v1/session',
    'POST /api/v1/session/memberships/{workspaceId}',
  ]);
  const managing = routes.filter(({ endpoint }) =>
    /^\/api\/v1\/(?:manage|connect\/conversations)(?:\/|$)/.test(endpoint.path),
  );
  expect(managing.filter(({ endpoint }) => !callersOf(endpoint).includes('session'))).toEqual([]);
});

describe('a session', () => {
  it('opens the routes that accept one, with the permissions of the member', async () => {
    for (const request of [
      chefs,
      'GET /api/public/cms/chefs/chef_noura',
      'GET /api/public/menu/products',
      'GET /api/public/menu/categories',
      'GET /api/public/forms/contact',
      'GET /api/v1/manage/workspace',
      'GET /api/v1/manage/members',
      `GET ${talk}`,
    ]) {
      expect([request, ...(await outcome(sara.call(request)))]).toEqual([request, ...ok]);
    }
    const { status, json } = await lina.call(chefs);
    expect([status, json.message]).toEqual([403, 'You lack the permission cms:entry:read.']);
  });

  it('gets private answers that vary by cookie, without CORS', async () => {
    for (const request of [chefs, `GET ${talk}/messages`]) {
      const { headers } = await sara.call(request, { headers: { origin: publicUrl } });
      expect(headers['cache-control']).toMatch(/^private\b/);
      expect(headers['vary']?.split(', ')).toContain('Cookie');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const refused = await signedInBy('v1.ws_saffron.mem_sara.x').call(`GET ${talk}/messages`, {
      headers: { origin: 'https://elsewhere.example' },
    });
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('does not open submits', async () => {
    expect(await outcome(sara.call('POST /api/public/forms/contact', { body: {} }))).toEqual([401, 'missing_api_key']);
  });
});

describe('the credential of a request', () => {
  it('is the key in any location, even if the route does not read that location', async () => {
    const wrong = { headers: { ...sara.headers, 'x-api-key': 'no-such-key-0000000000' } };
    expect(await outcome(call(chefs, wrong))).toEqual([401, 'invalid_api_key']);
    expect(await outcome(sara.call(chefs, { key: demoKeys.none }))).toEqual([403, 'permission_denied']);
    expect(await outcome(sara.call('GET /api/v1/manage/workspace?apiKey=x'))).toEqual([401, 'missing_api_key']);
    expect(await outcome(sara.call('GET /api/public/menu/products', { key: demoKeys.site }))).toEqual([
      401,
      'missing_api_key',
    ]);
    expect(await outcome(sara.call('GET /api/public/menu/products', { headers: { 'x-api-key': 'x' } }))).toEqual([
      401,
      'missing_api_key',
    ]);
    const token = `wst_${'a'.repeat(49)}`;
    expect(await outcome(sara.call(chefs, { key: token }))).toEqual([401, 'invalid_api_key']);
  });

  it('is the cookie when every key is empty', async () => {
    expect(
      await outcome(sara.call(`${chefs}?apiKey=`, { headers: { 'x-api-key': '', authorization: 'Basic eA==' } })),
    ).toEqual(ok);
  });

  it('is missing as before without any, and an invalid cookie is `invalid_session`', async () => {
    const { headers, json } = await call(chefs);
    expect([json.code, headers['www-authenticate']]).toEqual(['missing_api_key', 'Bearer']);
    const ended = await signedInBy(`${lina.cookie.slice(0, -2)}zz`).call(chefs);
    expect([ended.status, ended.json.code, ended.headers['www-authenticate']]).toEqual([
      401,
      'invalid_session',
      'Bearer',
    ]);
  });
});

describe('a write by session', () => {
  const change = (headers: Record<string, string>, options: Call = {}) =>
    outcome(
      call(`POST ${customers}`, {
        body: anyBody,
        ...options,
        headers: { cookie: sara.headers['cookie'] ?? '', ...headers },
      }),
    );

  it('requires a page of the same origin', async () => {
    expect(await change({ 'sec-fetch-site': 'same-origin' })).toEqual([201, undefined]);
    expect(await change({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).toEqual([201, undefined]);
    expect(await change({ origin: publicUrl })).toEqual([201, undefined]);
    for (const site of ['cross-site', 'same-site', 'none', ''])
      expect(await change({ 'sec-fetch-site': site, origin: publicUrl })).toEqual([403, 'cross_origin']);
    for (const origin of ['https://evil.example', `${publicUrl}.evil.example`, `${publicUrl}/`, 'null', ''])
      expect(await change({ origin })).toEqual([403, 'cross_origin']);
    expect(await change({})).toEqual([403, 'cross_origin']);
  });

  it('is checked in the order session, origin, permission', async () => {
    const [ended, weak] = [signedInBy(`${lina.cookie.slice(0, -2)}zz`), lina].map(
      ({ headers }) => headers['cookie'] ?? '',
    );
    expect(await change({ cookie: ended ?? '', 'sec-fetch-site': 'cross-site' })).toEqual([401, 'invalid_session']);
    expect(await change({ cookie: weak ?? '', 'sec-fetch-site': 'cross-site' })).toEqual([403, 'cross_origin']);
    expect(await change({ cookie: weak ?? '', 'sec-fetch-site': 'same-origin' })).toEqual([403, 'permission_denied']);
  });

  it('a write with a key requires neither Origin nor Sec-Fetch-Site', async () => {
    expect(await change({ 'sec-fetch-site': 'cross-site' }, { key: demoKeys.admin })).toEqual([201, undefined]);
  });

  it('requires Sec-Fetch-Site of the browser if the public URL is missing', async () => {
    process.env['PUBLIC_URL'] = '';
    try {
      const cookie = `__Host-session=${sara.cookie}`;
      expect(await change({ cookie, origin: publicUrl })).toEqual([403, 'cross_origin']);
      expect(await change({ cookie, 'sec-fetch-site': 'same-origin' })).toEqual([201, undefined]);
    } finally {
      process.env['PUBLIC_URL'] = publicUrl;
    }
  });

  it('records an audit event of the member', async () => {
    await sara.call(`POST ${customers}`, { body: anyBody });
    const { json } = await sara.call('GET /api/v1/manage/audit-events?limit=1');
    expect(json.data[0].actor).toEqual({ type: 'member', id: 'mem_sara', name: 'Sara Al-Mutairi' });
  });

  it('is carried out one time for an Idempotency-Key, even by another session of the member', async () => {
    const again = await signIn({ workspaceId: 'ws_saffron', address: 'sara@saffron.example' });
    const chef = 'PATCH /api/public/cms/chefs/chef_noura';
    const patch = (session: typeof sara, text: string) =>
      session.call(chef, { body: { values: { bio: { en: text } } }, headers: { 'idempotency-key': 'by-session' } });
    const first = await patch(sara, 'One');
    expect(first.status).toBe(200);
    expect((await patch(again, 'One')).text).toBe(first.text);
    expect((await patch(again, 'Two')).json.code).toBe('idempotency_key_reused');
  });

  it('keeps the cookie out of the log, and names the workspace', async () => {
    const lines = await capturedLines(() => sara.call(`POST ${customers}`, { body: anyBody }));
    expect(lines.join()).not.toContain(sara.cookie.slice(-43));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ workspaceId: 'ws_saffron', status: 201 });
    expect(JSON.parse(lines[0] ?? '').keyId).toBeUndefined();
  });

  it('grants no permission that the member lacks', async () => {
    const email = 'clerk@saffron.example';
    const permissions = ['access:member:read', 'access:member:manage', 'access:key:read', 'access:key:manage'];
    await sara.call('POST /api/v1/manage/members', { body: { name: 'Clerk', email, permissions } });
    await acceptMembership({ workspaceId: 'ws_saffron', address: email });
    const clerk = await signIn({ workspaceId: 'ws_saffron', address: email });
    const { status, json } = await clerk.call('POST /api/v1/manage/members', {
      body: { name: 'X', permissions: ['cms:entry:delete'] },
    });
    expect([status, json.message]).toEqual([403, expect.stringContaining('cms:entry:delete')]);
    expect((await clerk.call('POST /api/v1/manage/members', { body: { name: 'X' } })).status).toBe(201);
  });
});

describe('in a conversation a member', () => {
  const say = (body: object) => lina.call(`POST ${talk}/messages`, { body });

  it('the refusal of a member names no API key', async () => {
    const refusals = [
      await sara.call('PATCH /api/public/cms/chefs/chef_noura', { body: { values: { nope: 1 } } }),
      await sara.call('GET /api/v1/connect/assets/workspaces/ws_other/drive/messaging/2026-01/att_1/a.txt'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([400, 403]);
    expect(refusals.map(({ json }) => json.message)).not.toContainEqual(expect.stringContaining('API key'));
  });

  it('a member sends messages as itself, and not as another one', async () => {
    const { status, json } = await say({ senderType: 'member', text: 'Hello.' });
    expect([status, json.senderType, json.senderId]).toEqual([201, 'member', 'mem_lina']);
    expect((await say({ senderType: 'member', senderId: 'mem_lina', text: 'Hello.' })).status).toBe(201);
    expect(await outcome(say({ senderType: 'member', senderId: 'mem_omar', text: 'Hello.' }))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(await outcome(say({ senderType: 'customer', text: 'Hello.' }))).toEqual([403, 'permission_denied']);
  });

  it('a member moves only the own read mark', async () => {
    const { json } = await lina.call(`GET ${talk}/messages?limit=1`);
    const messageId = json.data[0].id;
    const unread = async (session: typeof sara) => {
      const list = await session.call('GET /api/v1/connect/conversations');
      return list.json.data.find(({ id }: { id: string }) => id === 'conv_huda').unreadCount;
    };
    const before = await unread(sara);
    expect(await outcome(lina.call(`POST ${talk}/read`, { body: { messageId } }))).toEqual(ok);
    expect([await unread(lina), await unread(sara)]).toEqual([0, before]);
  });

  it('a member uploads and downloads files, and streams replies of agents', async () => {
    const { formBody } = await import('#test/support/multipart.ts');
    const { body, headers } = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'A note.' }]);
    const uploaded = await lina.call('POST /api/v1/connect/attachments', { body, headers });
    expect(uploaded.status).toBe(200);
    const asset = await lina.call(`GET /api/v1/connect/assets/${uploaded.json.files[0].s3Key}`);
    expect([asset.status, asset.text, asset.headers['vary']?.includes('Cookie')]).toEqual([200, 'A note.', true]);
    const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_10' };
    const stream = (headers = {}) => lina.call('POST /api/v1/connect/ai-stream', { body: question, headers });
    expect((await stream()).text).toContain('"type":"done"');
    expect((await stream({ 'sec-fetch-site': 'cross-site' })).json.code).toBe('cross_origin');
  });
});
