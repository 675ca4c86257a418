import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const {
  keys: { admin, clerk },
} = await openWorkspace('access');
const other = await openWorkspace('access');
const create = (body: unknown, { key = admin, headers = {} } = {}) =>
  call('POST /api/v1/manage/members', { key, body, headers });

describe('creating a member', () => {
  it('answers the record with its e-mail address and ETag', async () => {
    const { status, headers, json } = await create({ name: 'Noor', email: 'noor@example.com' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^mem_[0-9a-f]{32}$/),
      name: 'Noor',
      email: 'noor@example.com',
      active: true,
      permissions: [],
      acceptedAt: null,
    });
    const read = await call(`GET ${headers['location']}`, { key: admin });
    expect([read.json, read.headers['etag']]).toEqual([json, headers['etag']]);
  });

  it('accepts an e-mail address for one member of the workspace, whatever its case and blanks', async () => {
    expect((await create({ name: 'One', email: 'One@Example.com' })).status).toBe(201);
    for (const email of ['one@example.com', ' ONE@example.com ', 'boss@EXAMPLE.com']) {
      const { status, json } = await create({ name: 'Two', email });
      expect([status, json.code, json.errors[0].path, json.errors[0].code]).toEqual([
        400,
        'validation_failed',
        'email',
        'duplicate',
      ]);
    }
    expect((await create({ name: 'Two', email: 'one@example.com' }, { key: other.keys.admin })).status).toBe(201);
    const same = { name: 'Race', email: 'race@example.com' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(same)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    for (const email of [null, '', ' ']) {
      const { status, json } = await create({ name: 'None', email });
      expect([status, json.email]).toEqual([201, null]);
    }
  });

  it('stores the address at an international domain in ASCII, and knows it in every spelling', async () => {
    const { status, json } = await create({ name: 'Zoe', email: ' Zoe@CAFÉ.example\u200f' });
    expect([status, json.email]).toEqual([201, 'Zoe@xn--caf-dma.example']);
    for (const email of ['zoe@cafe\u0301.example', 'ZOE@xn--caf-dma.EXAMPLE']) {
      const again = await create({ name: 'Zoe', email });
      expect([again.status, again.json.errors?.[0].code]).toEqual([400, 'duplicate']);
    }
  });

  it.each([
    'boss@example.com\u0000',
    'bo\u200bss@example.com',
    'boss@exam\u2060ple.com',
    'boss\u202e@example.com',
    'bоss@example.com',
    'boss',
    'boss@example',
    '"boss"@example.com',
  ])('refuses the e-mail address %j', async (email) => {
    const { status, json } = await create({ name: 'Boss', email });
    expect([
      status,
      json.errors?.map((issue: { path: string; code: string }) => `${issue.path} ${issue.code}`),
    ]).toEqual([400, ['email format']]);
  });

  it.each([{ en: 'x' }, '', 'a b', null, 7])('refuses the id %j with an error at its path', async (id) => {
    const { status, json } = await create({ id, name: 'x' });
    expect([status, json.code, json.errors.map(({ path }: { path: string }) => path.split('.')[0])]).toEqual([
      400,
      'validation_failed',
      ['id'],
    ]);
  });

  it('refuses permissions that the caller lacks', async () => {
    const { status, json } = await create({ name: 'x', permissions: ['menu:product:manage'] }, { key: clerk });
    expect([status, json.message]).toEqual([403, expect.stringContaining('menu:product:manage')]);
    expect((await create({ name: 'x', permissions: ['cms:entry:read'] }, { key: clerk })).status).toBe(201);
  });

  it('makes one member for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'member' };
    const first = await create({ name: 'Once' }, { headers });
    const again = await create({ name: 'Once' }, { headers });
    expect([again.status, again.json, again.headers['etag']]).toEqual([201, first.json, first.headers['etag']]);
  });
});
