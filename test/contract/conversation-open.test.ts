import { describe, expect, it } from '@jest/globals';
import { keys } from '#lib/table/keys.ts';
import { call } from '#test/support/call.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const room = await openWorkspace('talk', (document) => {
  document.messaging.customers.push({ id: 'cus_many', externalId: 'many' });
  const many = { channelId: 'ch_1', customerId: 'cus_many' };
  const at = (day: number) => `2026-02-0${day}T00:00:00.000Z`;
  document.messaging.conversations.push(
    { id: 'conv_older', ...many, status: 'pending', createdAt: at(1) },
    { id: 'conv_newer', ...many, status: 'snoozed', createdAt: at(2) },
    { id: 'conv_newest', ...many, status: 'resolved', createdAt: at(3) },
    { id: 'conv_topic', ...many, kind: 'topic', parentId: 'conv_older', createdAt: at(4) },
  );
});
const made = { channelId: 'ch_2', customerId: 'cus_2' };
let count = 0;
const stranger = () => ({ externalId: `stranger-${++count}` });
const stored = async () => {
  const kinds = ['conversation', 'customer', 'channel'] as const;
  const records = await Promise.all(kinds.map((kind) => storedRecords(room.workspaceId, kind)));
  return records.map(({ length }) => length);
};

describe('opening a conversation', () => {
  it('creates a conversation (201) with all members, its path and an ETag', async () => {
    const { status, json, headers } = await room.open({ ...made, language: 'ar' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^conv_[0-9a-f]{32}$/),
      kind: 'main',
      parentId: null,
      channelId: 'ch_2',
      customerId: 'cus_2',
      language: 'ar',
      status: 'open',
      assignee: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: json.createdAt,
    });
    expect(headers).toMatchObject({
      location: `${conversations}/${json.id}`,
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    const read = await room.send('GET', `/${json.id}`);
    expect([read.json, read.headers['etag']]).toEqual([json, headers['etag']]);
  });

  it('answers the open one unchanged (200)', async () => {
    const { status, json, headers } = await room.open({ channelId: 'ch_1', customerId: 'cus_1', language: 'ar' });
    expect([status, json.id, json.language, headers['location']]).toEqual([200, 'conv_1', null, undefined]);
  });

  it('answers the newest of several unresolved ones', async () => {
    expect((await room.open({ channelId: 'ch_1', customerId: 'cus_many' })).json.id).toBe('conv_newer');
  });

  it('does not find a resolved one, and finds it again after it is reopened', async () => {
    const body = { channelId: 'ch_1', customer: stranger() };
    const first = (await room.open(body)).json;
    await room.send('PATCH', `/${first.id}`, { status: 'resolved' });
    const second = await room.open(body);
    expect([second.status, second.json.id === first.id]).toEqual([201, false]);
    await room.send('PATCH', `/${second.json.id}`, { status: 'resolved' });
    await room.send('PATCH', `/${first.id}`, { status: 'snoozed' });
    const third = await room.open(body);
    expect([third.status, third.json.id]).toEqual([200, first.id]);
  });

  it('leaves one name in the order of names when a customer gets its missing name', async () => {
    const customer = stranger();
    const { customerId } = (await room.open({ channelId: 'ch_1', customer })).json;
    await room.open({ channelId: 'ch_1', customer: { ...customer, name: 'Named', email: 'named@example.com' } });
    const pointers = await testTable().range({ pk: keys.slugs(room.workspaceId, 'customer') });
    const names = pointers.filter(({ id, sk }) => id === customerId && sk.startsWith('name#'));
    expect(names.map(({ sk }) => sk)).toEqual([`name#named\u0001${customerId}`]);
  });

  it('creates one conversation, one customer and one channel for many parallel callers', async () => {
    const body = { channelIdentifier: `https://www.Shop-${count}.example/menu`, customer: stranger() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => room.open(body)));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(new Set(answers.map(({ json }) => `${json.customerId} ${json.channelId}`)).size).toBe(1);
  });

  it('repeats its first answer for an Idempotency-Key, whichever API key sends it', async () => {
    const headers = { 'idempotency-key': 'open-1' };
    const body = { channelId: 'ch_1', customer: stranger() };
    const first = await room.open(body, headers);
    await room.send('PATCH', `/${first.json.id}`, { status: 'resolved' });
    const again = await call(`POST ${conversations}`, { key: room.keys.other, headers, body });
    expect([again.status, again.json, again.headers['location']]).toEqual([201, first.json, first.headers['location']]);
    expect(await room.open({ ...body, language: 'en' }, headers)).toMatchObject({ status: 422 });
    const found = await room.open({ channelId: 'ch_1', customerId: 'cus_1' }, { 'idempotency-key': 'open-2' });
    expect(await room.open({ channelId: 'ch_1', customerId: 'cus_1' }, { 'idempotency-key': 'open-2' })).toMatchObject({
      status: 200,
      json: found.json,
    });
  });
});

describe('a sub-conversation', () => {
  it('is always created, with the channel and customer of its parent', async () => {
    const body = { parentId: 'conv_1', kind: 'order' };
    const first = await room.open(body);
    const second = await room.open(body);
    expect([first.status, second.status, first.json.id === second.json.id]).toEqual([201, 201, false]);
    expect(first.json).toMatchObject({ kind: 'order', parentId: 'conv_1', channelId: 'ch_1', customerId: 'cus_1' });
  });

  it('is never found as the open one', async () => {
    await room.open({ parentId: 'conv_1', kind: 'topic' });
    expect((await room.open({ channelId: 'ch_1', customerId: 'cus_1' })).json.id).toBe('conv_1');
  });

  it.each([
    ['by its id', { customerId: 'cus_2' }],
    ['by an unknown id', { customerId: 'cus_9' }],
    ['by its details', { customer: { externalId: 'crm-2' } }],
    ['by details of an unknown customer', { customer: { email: 'new@example.com' } }],
  ])('is refused for another customer than the parent’s, named %s (403)', async (_, named) => {
    const before = await stored();
    expect(await room.open({ parentId: 'conv_1', kind: 'order', ...named })).toMatchObject({
      status: 403,
      json: { code: 'permission_denied' },
    });
    expect(await stored()).toEqual(before);
  });
});

describe('opening a conversation is refused (400), and nothing is stored,', () => {
  it('an array as body is refused (400), and the error names the body only', async () => {
    const { status, json } = await room.open([]);
    expect([status, json.code, json.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      'invalid_body',
      [''],
    ]);
  });

  const who = { customerId: 'cus_1' };
  const where = { channelId: 'ch_1' };
  it.each<[string, object, string, string, string]>([
    ['without a channel', who, 'invalid_body', 'channelId', 'required'],
    ['with a blank channel', { ...who, channelId: ' ' }, 'invalid_body', 'channelId', 'required'],
    ['without a customer', where, 'invalid_body', 'customerId', 'required'],
    ['with another member', { ...who, ...where, slug: 'x' }, 'invalid_body', 'slug', 'unknown_field'],
    ['with an absent channel', { ...who, channelId: 'ch_9' }, 'validation_failed', 'channelId', 'not_found'],
    ['with an absent customer', { ...where, customerId: 'cus_9' }, 'validation_failed', 'customerId', 'not_found'],
    ['with a malformed id', { ...where, customerId: 'a#b' }, 'validation_failed', 'customerId', 'not_found'],
    [
      'with customer details that identify no customer',
      { ...where, customer: { name: 'X', phone: '12' } },
      'validation_failed',
      'customer',
      'format',
    ],
    [
      'with a malformed host',
      { ...who, channelIdentifier: 'nothing' },
      'validation_failed',
      'channelIdentifier',
      'format',
    ],
    ['with a foreign language', { ...who, ...where, language: 'fr' }, 'validation_failed', 'language', 'not_allowed'],
    ['with a kind without a parent', { ...who, ...where, kind: 'order' }, 'validation_failed', 'kind', 'not_allowed'],
    ['with a parent without a kind', { parentId: 'conv_1' }, 'invalid_body', 'kind', 'required'],
    ['with a main sub-conversation', { parentId: 'conv_1', kind: 'main' }, 'validation_failed', 'kind', 'not_allowed'],
    ['with an absent parent', { parentId: 'conv_9', kind: 'order' }, 'validation_failed', 'parentId', 'not_found'],
    [
      'with a parent that has one',
      { parentId: 'conv_topic', kind: 'order' },
      'validation_failed',
      'parentId',
      'not_allowed',
    ],
    [
      'with a lone surrogate',
      { ...where, customer: { externalId: '\ud800' } },
      'validation_failed',
      'customer.externalId',
      'format',
    ],
  ])('%s', async (_, body, code, path, issue) => {
    const before = await stored();
    const answer = await room.open({
      ...body,
      ...(code === 'validation_failed' && { customer: { externalId: 'never' } }),
      ...body,
    });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      code,
      errors: expect.arrayContaining([expect.objectContaining({ path, code: issue })]),
    });
    expect(await stored()).toEqual(before);
  });
});

it('POST /connect/conversations returns the same for records of another workspace as for absent ones', async () => {
  const other = await openWorkspace('talk', ({ messaging }) => {
    messaging.customers.push({ id: 'cus_theirs' });
    messaging.channels.push({ id: 'ch_theirs', type: 'website', identifier: 'theirs.example' });
  });
  expect((await other.open({ channelId: 'ch_theirs', customerId: 'cus_theirs' })).status).toBe(201);
  expect(await room.open({ channelId: 'ch_theirs', customerId: 'cus_theirs' })).toMatchObject({
    status: 400,
    json: {
      errors: [
        { path: 'channelId', code: 'not_found' },
        { path: 'customerId', code: 'not_found' },
      ],
    },
  });
});

it('POST /connect/conversations requires a key in a header, with a member, and the permission of both', async () => {
  const body = { channelId: 'ch_1', customerId: 'cus_1' };
  const { workspaceId, key } = room;
  const statuses = await Promise.all(
    [undefined, `weak-${workspaceId}`, `alone-${workspaceId}`, room.keys.reader, 'no-such-key-0000000000'].map((key) =>
      call(`POST ${conversations}`, { ...(key && { key }), body }),
    ),
  );
  expect(statuses.map(({ status, json }) => [status, json.code])).toEqual([
    [401, 'missing_api_key'],
    [403, 'permission_denied'],
    [403, 'member_required'],
    [403, 'permission_denied'],
    [401, 'invalid_api_key'],
  ]);
  expect((await call(`POST ${conversations}?apiKey=${key}`, { body })).status).toBe(401);
  expect((await call(`PUT ${conversations}`, { key, body })).status).toBe(405);
});
