import { describe, expect, it } from '@jest/globals';
import { documentSchema } from '#lib/workspace/document-schema.ts';
import { type Call, call } from '#test/support/call.ts';
import { exported, importText } from '#test/support/document-text.ts';
import { signIn } from '#test/support/signed-in.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const webhooks = ['webhooks:webhook:read', 'webhooks:webhook:manage'];

const open = async () => {
  const room = await openWorkspace('access', ({ apiKeys, members, workspace }) => {
    const secret = (name: string) => `${name}-of-${workspace.id}`;
    apiKeys.push(
      { id: 'key_hooks', name: 'Hooks', secret: secret('hooks'), permissions: [...webhooks, 'menu:product:read'] },
      { id: 'key_watch', name: 'Watch', secret: secret('watch'), permissions: ['webhooks:webhook:read'] },
      { id: 'key_menu', name: 'Menu', secret: secret('menu'), permissions: ['menu:product:read'] },
    );
    members.push({ id: 'mem_hooks', name: 'Hooks', email: 'hooks@example.com', permissions: webhooks });
  });
  const send = (request: string, body?: unknown, options: Call = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const sent = { key: room.keys.admin, ...(body !== undefined && { body }), ...options };
    return call(`${method} /api/v1/manage/${path}`, sent);
  };
  const keyOf = (name: string) => ({ key: `${name}-of-${room.workspaceId}` });
  return { ...room, send, hooks: keyOf('hooks'), watch: keyOf('watch') };
};

const room = await open();
const { send, hooks, watch } = room;
const valid = { url: 'https://hooks.example.com/a?b=1', types: ['menu_product.*'], apiKeyId: 'key_menu' };
const faults = (json: { errors: { path: string; code: string }[] }) =>
  json.errors.map(({ path, code }) => [path, code]);

describe('a new webhook', () => {
  it('is answered with its secret once, is listed newest first, and is found without the secret', async () => {
    const { send: sendThere } = await open();
    const { status, headers, json } = await sendThere('POST webhooks', valid);
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    expect(headers['location']).toBe(`/api/v1/manage/webhooks/${json.id}`);
    const { secret, ...record } = json;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-f]{32}$/),
      ...valid,
      description: null,
      enabled: true,
      disabledReason: null,
      createdAt: expect.any(String),
      updatedAt: record.createdAt,
    });
    const found = await sendThere(`GET webhooks/${json.id}`);
    expect([found.json, found.headers['etag']]).toEqual([record, headers['etag']]);
    const body = { ...valid, id: 'wh_mine', description: '  The till ', enabled: false };
    const second = await sendThere('POST webhooks', body);
    expect(second.json).toMatchObject({ id: 'wh_mine', description: 'The till', enabled: false });
    expect(second.json.secret).not.toBe(secret);
    const list = await sendThere('GET webhooks');
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual(['wh_mine', json.id]);
    expect(list.json.data[1]).toEqual(record);
    expect((await sendThere('GET webhooks?q=till')).json.data).toHaveLength(1);
  });

  it('is made once for a repeated Idempotency-Key, and the repetition has no secret', async () => {
    const headers = { 'idempotency-key': 'one webhook' };
    const { secret, ...record } = (await send('POST webhooks', valid, { headers })).json;
    const again = await send('POST webhooks', valid, { headers });
    expect([again.status, again.json, again.headers['cache-control']]).toEqual([201, record, 'no-store']);
    expect((await send('POST webhooks', { ...valid, enabled: false }, { headers })).status).toBe(422);
    expect((await send(`POST webhooks`, { ...valid, id: record.id })).json.code).toBe('already_exists');
  });

  it('has another secret than a deleted one with its id', async () => {
    const body = { ...valid, id: 'wh_again' };
    const secrets = [];
    for (const _ of [1, 2]) {
      secrets.push((await send('POST webhooks', body)).json.secret);
      expect((await send('DELETE webhooks/wh_again')).status).toBe(204);
    }
    expect(new Set(secrets).size).toBe(2);
  });

  it.each<[object, [string, string][]]>([
    [
      { url: undefined, types: undefined, apiKeyId: undefined },
      [
        ['url', 'required'],
        ['types', 'required'],
        ['apiKeyId', 'required'],
      ],
    ],
    [{ url: 'hooks.example.com' }, [['url', 'format']]],
    [{ url: 7 }, [['url', 'type']]],
    [{ url: 'http://hooks.example.com' }, [['url', 'not_allowed']]],
    [{ url: 'https://10.0.0.1/a' }, [['url', 'not_allowed']]],
    [{ types: [] }, [['types', 'min_items']]],
    [{ types: 'form.created' }, [['types', 'type']]],
    [{ types: Array.from({ length: 51 }, (_, index) => `form.${index}`) }, [['types', 'max_items']]],
    [{ types: ['form.created', 'form.created'] }, [['types.1', 'duplicate']]],
    [
      { types: ['form.created', '*', 'pizza.created', 'webhook.test'] },
      [
        ['types.1', 'not_allowed'],
        ['types.2', 'not_allowed'],
        ['types.3', 'not_allowed'],
      ],
    ],
    [{ apiKeyId: 'key_nobody' }, [['apiKeyId', 'not_found']]],
    [{ apiKeyId: null }, [['apiKeyId', 'type']]],
    [{ description: 'x'.repeat(501) }, [['description', 'max_length']]],
    [{ enabled: 'yes' }, [['enabled', 'type']]],
    [{ disabledReason: 'gone' }, [['disabledReason', 'not_allowed']]],
    [{ id: '..' }, [['id', 'format']]],
    [{ secret: 'whsec_x' }, [['secret', 'unknown_field']]],
    [{ secretVersion: 'a' }, [['secretVersion', 'unknown_field']]],
  ])('is refused with %j, with all faults', async (change, errors) => {
    const { status, json } = await send('POST webhooks', { ...valid, ...change });
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(faults(json)).toEqual(expect.arrayContaining(errors));
  });

  it.each([
    ['revoked', { revokedAt: '2026-01-01T00:00:00Z' }],
    ['expired', { expiresAt: '2026-01-01T00:00:00Z' }],
  ])('is refused with a key that is %s', async (_, end) => {
    const { json: key } = await send('POST api-keys', { name: 'Ended', permissions: [], ...end });
    const { status, json } = await send('POST webhooks', { ...valid, apiKeyId: key.id });
    expect([status, faults(json)]).toEqual([400, [['apiKeyId', 'not_allowed']]]);
  });

  it('needs the permissions of its kind, and every permission of its key', async () => {
    expect((await send('POST webhooks', valid, watch)).json.message).toContain('webhooks:webhook:manage');
    expect((await send('POST webhooks', valid, hooks)).status).toBe(201);
    const refused = await send('POST webhooks', { ...valid, apiKeyId: 'key_chief' }, hooks);
    expect([refused.status, refused.json.code]).toEqual([403, 'permission_denied']);
    expect(refused.json.message).toContain('cms:entry:read');
    const member = await signIn({ workspaceId: room.workspaceId, address: 'hooks@example.com' });
    const post = (body: object) => member.call('POST /api/v1/manage/webhooks', { body });
    expect((await post(valid)).status).toBe(403);
    expect((await post({ ...valid, apiKeyId: 'key_powerless' })).status).toBe(201);
  });

  it('is the twentieth at most, also when many are made at once', async () => {
    const { send: sendThere } = await open();
    const answers = await Promise.all(Array.from({ length: 24 }, () => sendThere('POST webhooks', valid)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const { json } = await sendThere('GET webhooks?limit=100');
    expect(json.data).toHaveLength(20);
    expect(await sendThere('POST webhooks', valid)).toMatchObject({ status: 409, json: { code: 'limit_reached' } });
    expect((await sendThere(`DELETE webhooks/${json.data[3].id}`)).status).toBe(204);
    expect((await sendThere('POST webhooks', valid)).status).toBe(201);
    expect((await sendThere('POST webhooks', valid)).status).toBe(409);
  });
});

describe('a stored webhook', () => {
  const made = async (body: object = {}) => (await send('POST webhooks', { ...valid, ...body })).json;

  it('is changed by a merge patch, and no other member than those of bodies', async () => {
    const { id, secret, ...record } = await made();
    const change = { types: ['form.*', 'cms_entry.published'], description: 'Forms' };
    const { status, json } = await send(`PATCH webhooks/${id}`, change);
    expect([status, json]).toEqual([200, { id, ...record, ...change, updatedAt: json.updatedAt }]);
    expect(json.updatedAt > record.updatedAt).toBe(true);
    expect((await send(`PATCH webhooks/${id}`, json)).json).toEqual(json);
    expect((await send(`PATCH webhooks/${id}`, { disabledReason: 'gone' })).json.errors).toMatchObject([
      { path: 'disabledReason', code: 'not_allowed' },
    ]);
    expect((await send(`PATCH webhooks/${id}`, { url: null })).status).toBe(400);
    expect((await send(`PATCH webhooks/${id}`, {}, { headers: { 'if-match': '"other"' } })).status).toBe(412);
    expect((await send(`PUT webhooks/${id}`, valid)).headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
  });

  it('keeps its key when that is revoked, and takes no other that is', async () => {
    const { json: key } = await send('POST api-keys', { name: 'Short', permissions: [] });
    const { id } = await made({ apiKeyId: key.id });
    await send(`PATCH api-keys/${key.id}`, { revokedAt: '2026-01-01T00:00:00Z' });
    expect((await send(`PATCH webhooks/${id}`, { description: 'Still' })).status).toBe(200);
    const { id: other } = await made();
    expect(await send(`PATCH webhooks/${other}`, { apiKeyId: key.id })).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'apiKeyId', code: 'not_allowed' }] },
    });
  });

  it('is switched off without the permissions of its key, and nothing else', async () => {
    const { id } = await made({ apiKeyId: 'key_chief' });
    for (const change of [
      { enabled: true },
      { enabled: false, url: 'https://other.example.com' },
      { apiKeyId: 'key_editor' },
      {},
    ]) {
      expect([change, (await send(`PATCH webhooks/${id}`, change, hooks)).status]).toEqual([change, 403]);
    }
    expect((await send(`PATCH webhooks/${id}`, { enabled: false }, hooks)).json.enabled).toBe(false);
    expect((await send(`PATCH webhooks/${id}`, { enabled: true }, hooks)).status).toBe(403);
    expect((await send(`PATCH webhooks/${id}`, { enabled: true })).json.enabled).toBe(true);
    expect((await send(`DELETE webhooks/${id}`, undefined, watch)).status).toBe(403);
    expect((await send(`DELETE webhooks/${id}`, undefined, hooks)).status).toBe(204);
    expect((await send(`GET webhooks/${id}`)).status).toBe(404);
  });

  it('exists in its workspace only', async () => {
    const { id } = await made();
    const other = await open();
    expect((await other.send(`GET webhooks/${id}`)).status).toBe(404);
    expect((await other.send(`PATCH webhooks/${id}`, { enabled: false })).status).toBe(404);
    expect((await other.send(`DELETE webhooks/${id}`)).status).toBe(404);
    expect((await other.send('GET webhooks')).json.data).toEqual([]);
  });

  it('has audit events and events, without the address or the secret', async () => {
    const { id, secret } = await made({ id: 'wh_told' });
    await send(`PATCH webhooks/${id}`, { url: 'https://other.example.com', enabled: false });
    await send(`POST webhooks/${id}/rotate`, {});
    await send(`DELETE webhooks/${id}`);
    const log = await send(`GET audit-events?recordKind=webhooks&recordId=${id}`);
    const told = log.json.data.map(({ action, changed }: { action: string; changed: string[] }) => [action, changed]);
    expect(told).toEqual([
      ['delete', []],
      ['rotate', []],
      ['update', ['enabled', 'url']],
      ['create', []],
    ]);
    const feed = async (key: string) => {
      const answer = await call('GET /api/v1/events?types=webhook.*&limit=100', { key });
      return answer.json.data.filter(({ recordId }: { recordId: string }) => recordId === id);
    };
    expect(await feed(room.keys.admin)).toMatchObject([
      { type: 'webhook.created', kind: 'webhooks', changed: [] },
      { type: 'webhook.updated', changed: ['enabled', 'url'] },
      { type: 'webhook.updated', changed: ['secret'] },
      { type: 'webhook.deleted', changed: [] },
    ]);
    expect(JSON.stringify([log.json, await feed(room.keys.admin)])).not.toMatch(/example\.com|whsec/);
    expect(secret).toMatch(/^whsec_/);
    const { json: follower } = await send('POST api-keys', { name: 'Follower', permissions: ['events:event:read'] });
    expect(await feed(follower.secret)).toEqual([]);
  });
});

it('webhooks are in no bulk request', async () => {
  const { json } = await send('POST changes', { changes: [{ method: 'POST', kind: 'webhooks', record: valid }] });
  expect(json.errors).toMatchObject([
    {
      path: 'changes.0.kind',
      code: 'not_allowed',
      message: 'changes.0.kind: Cannot be webhooks: use /api/v1/manage/webhooks instead.',
    },
  ]);
});

it('webhooks are in no document, and an import leaves them as they are', async () => {
  const there = await open();
  const { json } = await there.send('POST webhooks', { ...valid, id: 'wh_kept' });
  const document = await exported(there.workspaceId);
  expect(JSON.stringify(document)).not.toContain('wh_kept');
  expect(JSON.stringify(documentSchema())).not.toContain('disabledReason');
  expect((await importText(JSON.stringify(document), 'json')).failures).toEqual([]);
  const { secret, ...record } = json;
  expect((await there.send('GET webhooks/wh_kept')).json).toEqual(record);
  const named = await importText(JSON.stringify({ ...document, webhooks: [record] }), 'json');
  expect(named.failures).toMatchObject([{ path: 'webhooks', code: 'unknown_field' }]);
  const line = await importText(
    [
      { kind: 'workspace', version: 1, ...document.workspace },
      { kind: 'webhook', ...record },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n'),
    'ndjson',
  );
  expect(line.failures).toMatchObject([{ path: 'kind', code: 'not_allowed' }]);
});
