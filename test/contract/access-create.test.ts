import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { acceptMembership, signIn } from '#test/support/signed-in.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys, workspaceId } = await openWorkspace('access');
const { admin, clerk, second } = keys;
const engaging = ['messaging:conversation:engage'];
const other = await openWorkspace('access');
const path = '/api/v1/manage/api-keys';
const create = (body: unknown, key = admin, headers = {}) => call(`POST ${path}`, { key, body, headers });
const reads = async (key: string) => (await call('GET /api/public/cms/chefs/list', { key })).status;
const codes = (errors: { path: string; code: string }[]) => errors.map((error) => [error.path, error.code]);
const newest = async () => (await call('GET /api/v1/manage/audit-events?limit=1', { key: admin })).json.data[0];

describe('creating a key', () => {
  it('answers the record with its secret, which works immediately and is in no later answer', async () => {
    const { status, headers, json } = await create({ name: 'Site' });
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    expect(headers['location']).toBe(`${path}/${json.id}`);
    expect(json).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'Site',
      memberId: null,
      expiresAt: null,
      permissions: [
        'cms:entry:read',
        'menu:product:read',
        'menu:category:read',
        'forms:form:read',
        'forms:response:create',
      ],
      revokedAt: null,
      lastUsedAt: null,
      secret: expect.stringMatching(/^wsk_[0-9A-Za-z]{49}$/),
    });
    expect(await reads(json.secret)).toBe(200);
    const { secret, lastUsedAt, ...record } = json;
    const read = await call(`GET ${headers['location']}`, { key: admin });
    expect(read.json).toMatchObject(record);
    expect(read.headers['etag']).toBe(headers['etag']);
    expect(read.text).not.toMatch(/secret|hash|wsk_/i);
  });

  it('accepts an id and every member of a key, and records an audit event', async () => {
    const body = {
      id: 'key_mine',
      name: 'Mine',
      memberId: 'mem_1',
      permissions: ['cms:entry:read'],
      expiresAt: '2999-01-01T00:00:00Z',
      revokedAt: null,
    };
    const { status, headers, json } = await create(body);
    expect(status).toBe(201);
    expect(json).toMatchObject({ ...body, expiresAt: '2999-01-01T00:00:00.000Z' });
    expect(await newest()).toMatchObject({
      action: 'create',
      recordKind: 'api-keys',
      recordId: 'key_mine',
      changed: ['memberId'],
      requestId: headers['x-request-id'],
      actor: { type: 'key', id: 'key_admin', name: 'admin' },
    });
    expect(await create(body)).toMatchObject({ status: 409, json: { code: 'already_exists' } });
  });

  it.each<[unknown, string, [string, string][]]>([
    [[], 'invalid_body', [['', 'type']]],
    [{}, 'validation_failed', [['name', 'required']]],
    [
      { name: 1, permissions: null },
      'validation_failed',
      [
        ['name', 'type'],
        ['permissions', 'type'],
      ],
    ],
    [{ name: 'x', secret: 'my-own-secret-of-20-characters' }, 'validation_failed', [['secret', 'unknown_field']]],
    [{ name: 'x', secretHash: 'a'.repeat(64) }, 'validation_failed', [['secretHash', 'unknown_field']]],
    [{ name: 'x', color: 'red' }, 'validation_failed', [['color', 'unknown_field']]],
    [{ name: 'x', permissions: ['cms:entry:fly'] }, 'validation_failed', [['permissions.0', 'not_allowed']]],
    [{ name: 'x', memberId: 'mem_gone' }, 'validation_failed', [['memberId', 'not_found']]],
    [{ name: 'x', id: '..' }, 'validation_failed', [['id', 'format']]],
    [{ name: 'x', expiresAt: 'tomorrow' }, 'validation_failed', [['expiresAt', 'format']]],
  ])('refuses %j with all errors (400)', async (body, code, errors) => {
    const { status, json } = await create(body);
    expect([status, json.code, codes(json.errors)]).toEqual([400, code, errors]);
    expect(JSON.stringify(json)).not.toContain('my-own-secret');
  });

  it.each([{ en: 'x' }, '', 'a b', null, 7])('refuses the id %j with an error at its path', async (id) => {
    const { status, json } = await create({ id, name: 'x' });
    expect([status, json.code, json.errors.map(({ path }: { path: string }) => path.split('.')[0])]).toEqual([
      400,
      'validation_failed',
      ['id'],
    ]);
  });

  it('refuses permissions that the caller lacks, defaults included', async () => {
    const refused = { status: 403, json: { code: 'permission_denied' } };
    const defaults = await create({ name: 'x' }, clerk);
    expect(defaults).toMatchObject(refused);
    expect(defaults.json.message).toContain('menu:product:read');
    expect(
      (await create({ name: 'x', permissions: ['cms:entry:read', 'cms:entry:update'] }, clerk)).json.message,
    ).toContain('cms:entry:update');
    expect((await create({ name: 'x', permissions: ['cms:entry:read'] }, clerk)).status).toBe(201);
    expect((await create({ name: 'x', permissions: [] }, keys.chief)).json.message).toContain('access:key:read');
  });

  it('speaks as another member only with each permission of the member, and that to manage members', async () => {
    const refusal = async (memberId: string, key: string) => {
      const { status, json } = await create({ name: 'x', memberId, permissions: [] }, key);
      return [status, json.code, /[a-z]+:[a-z]+:[a-z-]+/.exec(json.message)?.[0]];
    };
    expect(await refusal('mem_1', clerk)).toEqual([403, 'permission_denied', 'messaging:conversation:engage']);
    expect(await refusal('mem_boss', second)).toEqual([403, 'permission_denied', 'cms:entry:read-hidden']);
    const manager = (await create({ name: 'Keys', permissions: ['access:key:read', 'access:key:manage', ...engaging] }))
      .json;
    expect(await refusal('mem_1', manager.secret)).toEqual([403, 'permission_denied', 'access:member:manage']);
    const both = ['access:key:read', 'access:key:manage', 'access:member:manage', ...engaging];
    const { secret } = (await create({ name: 'Both', permissions: both })).json;
    expect((await create({ name: 'x', memberId: 'mem_1', permissions: [] }, secret)).status).toBe(201);
  });

  it('speaks as oneself without more', async () => {
    const body = { name: 'Own', memberId: 'mem_keys', permissions: ['access:key:read'] };
    await call('PUT /api/v1/manage/members/mem_keys', {
      key: admin,
      body: {
        name: 'Keys',
        email: 'keys@create.example',
        permissions: ['access:key:read', 'access:key:manage', 'menu:product:read'],
      },
    });
    await acceptMembership({ workspaceId, address: 'keys@create.example' });
    const own = { ...body, permissions: ['access:key:read', 'access:key:manage'] };
    const { secret } = (await create(own)).json;
    const made = await create(body, secret);
    expect(made.status).toBe(201);
    expect(await newest()).toMatchObject({ action: 'create', recordId: made.json.id, changed: [] });
    const person = await signIn({ workspaceId, address: 'keys@create.example' });
    expect((await person.call(`POST ${path}`, { body })).status).toBe(201);
    expect((await person.call(`POST ${path}`, { body: { ...body, memberId: 'mem_1' } })).status).toBe(403);
  });

  it('makes one key for a repeated Idempotency-Key, and the repetition has no secret', async () => {
    const headers = { 'idempotency-key': 'make one' };
    const first = await create({ name: 'Once' }, admin, headers);
    const again = await create({ name: 'Once' }, admin, headers);
    const { secret, ...record } = first.json;
    expect([again.status, again.json]).toEqual([201, record]);
    expect(again.headers['location']).toBe(first.headers['location']);
    expect((await create({ name: 'Other' }, admin, headers)).status).toBe(422);
    const list = await call(`GET ${path}?q=once`, { key: admin });
    expect(list.json.data).toHaveLength(1);
  });

  it('allows at most 50 keys for a member, even concurrently', async () => {
    const body = { name: 'x', memberId: 'mem_2nd', permissions: [] };
    const answers = await Promise.all(Array.from({ length: 60 }, () => create(body)));
    expect(answers.filter(({ status }) => ![201, 400, 503].includes(status))).toEqual([]);
    let last = await create(body);
    while ([201, 503].includes(last.status)) last = await create(body);
    expect([last.status, codes(last.json.errors)]).toEqual([400, [['memberId', 'max_items']]]);
    const { data } = (await call(`GET ${path}?limit=100`, { key: admin })).json;
    expect(data.filter(({ memberId }: { memberId: string }) => memberId === 'mem_2nd')).toHaveLength(50);
  });

  it("makes the key in the caller's workspace only", async () => {
    const { json } = await create({ id: 'key_here', name: 'Here' });
    expect((await call(`GET ${path}/key_here`, { key: other.keys.admin })).status).toBe(404);
    expect((await call(`GET ${path}/key_here`, { key: json.secret })).status).toBe(403);
    expect(workspaceId).not.toBe(other.workspaceId);
  });
});
