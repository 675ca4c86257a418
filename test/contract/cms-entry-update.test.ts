import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen', (document) => {
  for (const method of ['PATCH', 'PUT']) {
    document.cms.entries.push({
      id: `chef_late_${method}`,
      modelId: 'chefs',
      updatedAt: '2099-01-01T00:00:00.000Z',
      values: { name: { en: 'Late' } },
    });
  }
  document.cms.entries.push({
    id: 'chef_last',
    modelId: 'chefs',
    updatedAt: '9999-12-31T23:59:59.999Z',
    values: { name: { en: 'Last' } },
  });
});
const { editor, reader, cmsOnly } = kitchen.keys;
const chef = (number: number) => `/api/public/cms/chefs/chef_${number}`;
const read = (path: string) => call(`GET ${path}?maxDepth=0`, { key: editor });

describe.each(['PATCH', 'PUT'])('%s', (method) => {
  const number = method === 'PATCH' ? 1 : 2;
  const update = (values: object) => call(`${method} ${chef(number)}?maxDepth=0`, { key: editor, body: { values } });

  it('answers with the whole updated entry', async () => {
    const before = await read(chef(number));
    const { status, json, headers } = await update({ joined: '2026-03-01' });
    expect(status).toBe(200);
    expect(json).toEqual({ ...before.json, joined: '2026-03-01', updatedAt: json.updatedAt });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['x-cms-max-depth']).toBe('0');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('changes only the fields that values names', async () => {
    const before = await read(chef(number));
    await update({ bio: { en: 'Grills' } });
    const after = await read(chef(number));
    expect(after.json).toEqual({ ...before.json, bio: { en: 'Grills' }, updatedAt: after.json.updatedAt });
  });

  it('merges a language into a localized field', async () => {
    const { json: before } = await read(chef(number));
    const { json } = await update({ name: { ar: 'نور' } });
    expect(json.name).toEqual({ en: before.name.en, ar: 'نور' });
  });

  it('answers like the next read, with the same ETag', async () => {
    const updated = await update({ friends: ['chef_3'], published: false });
    const { text, headers } = await read(chef(number));
    expect(text).toBe(updated.text);
    expect(headers['etag']).toBe(updated.headers['etag']);
  });

  it('changes updatedAt and the ETag with every accepted update, even one to the stored value', async () => {
    const stamps = new Set<string>();
    const tags = new Set<string>();
    for (let count = 0; count < 5; count++) {
      const { json, headers } = await update({ joined: '2026-03-01' });
      expect([...stamps].every((earlier) => earlier < json.updatedAt)).toBe(true);
      stamps.add(json.updatedAt);
      tags.add(headers['etag'] ?? '');
    }
    expect(stamps.size).toBe(5);
    expect(tags.size).toBe(5);
  });

  it('moves updatedAt forward even from a day in the future', async () => {
    const later = `/api/public/cms/chefs/chef_late_${method}`;
    const moved = await call(`${method} ${later}`, { key: editor, body: { values: { joined: null } } });
    expect(moved.json.updatedAt > '2099-01-01T00:00:00.000Z').toBe(true);
  });

  it('keeps a valid updatedAt on the last possible day', async () => {
    const last = '/api/public/cms/chefs/chef_last';
    const { status, json } = await call(`${method} ${last}`, { key: editor, body: { values: { joined: null } } });
    expect(status).toBe(200);
    expect(json.updatedAt).toBe('9999-12-31T23:59:59.999Z');
  });

  it('accepts values: {}, which changes nothing (200)', async () => {
    const before = await read(chef(number));
    const { status, text, headers } = await update({});
    const after = await read(chef(number));
    expect(status).toBe(200);
    expect([text, after.text]).toEqual([before.text, before.text]);
    expect([headers['etag'], after.headers['etag']]).toEqual([before.headers['etag'], before.headers['etag']]);
  });
});

describe('published', () => {
  it('is the only system field that can be written', async () => {
    for (const published of [false, true]) {
      const { status, json } = await call(`PATCH ${chef(3)}`, { key: editor, body: { values: { published } } });
      expect(status).toBe(200);
      expect(json.published).toBe(published);
      expect((await read(chef(3))).json.published).toBe(published);
    }
  });

  it.each([null, 'false', 0, [], {}])('is refused as %j', async (published) => {
    const answer = await call(`PATCH ${chef(3)}`, { key: editor, body: { values: { published } } });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('validation_failed');
    expect(issuesOf(answer).sort()).toEqual(['values.published type']);
  });
});

describe('a key that is not a field', () => {
  it.each([
    'id',
    'createdAt',
    'updatedAt',
    'nope',
    '',
    'Name',
    'name.en',
    'toString',
    'constructor',
    'prototype',
    '__proto__',
  ])('is refused as an unknown field: %j', async (key) => {
    const before = await read(chef(3));
    const answer = await call(`PATCH ${chef(3)}`, { key: editor, body: `{"values":{${JSON.stringify(key)}:"x"}}` });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('validation_failed');
    expect(issuesOf(answer).sort()).toEqual([`values.${key} unknown_field`]);
    expect((await read(chef(3))).text).toBe(before.text);
  });
});

describe('all errors together', () => {
  it('400 lists every invalid value with path, code and message', async () => {
    const values = {
      name: { en: 1, fr: 'Nour' },
      bio: 'plain',
      joined: '2026-02-30',
      mentor: 'chef_99',
      friends: ['chef_1', 'chef_1'],
      createdAt: '2026-01-01T00:00:00.000Z',
      published: 'yes',
      nope: 1,
    };
    const before = await read(chef(3));
    const answer = await call(`PATCH ${chef(3)}`, { key: editor, body: { values } });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('validation_failed');
    expect(issuesOf(answer).sort()).toEqual([
      'values.bio type',
      'values.createdAt unknown_field',
      'values.friends duplicate',
      'values.joined format',
      'values.mentor not_found',
      'values.name.en type',
      'values.name.fr not_allowed',
      'values.nope unknown_field',
      'values.published type',
    ]);
    for (const { message } of answer.json.errors) expect(message).toMatch(/ .*\.$/);
    expect((await read(chef(3))).text).toBe(before.text);
  });

  it('400 lists a required field without a value among the others', async () => {
    const answer = await call(`PATCH ${chef(3)}`, { key: editor, body: { values: { name: null, joined: 1 } } });
    expect(answer.status).toBe(400);
    expect(issuesOf(answer).sort()).toEqual(['values.joined type', 'values.name required']);
  });

  it.each([
    ['validation_failed', 'fields=nope', { joined: 1 }, ['fields.nope unknown_field', 'values.joined type']],
    ['invalid_query', 'fields=name(x)', { joined: 1 }, ['fields.name not_a_relation', 'values.joined type']],
    ['unknown_field', 'fields=nope', { joined: null }, ['fields.nope unknown_field']],
    ['validation_failed', '', { nope: 1 }, ['values.nope unknown_field']],
  ])('400 %s for ?%s with %j, with every path', async (code, query, values, issues) => {
    const before = await read(chef(3));
    const answer = await call(`PATCH ${chef(3)}?${query}`, { key: editor, body: { values } });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe(code);
    expect(issuesOf(answer).sort()).toEqual(issues);
    expect((await read(chef(3))).text).toBe(before.text);
  });

  it.each([
    ['invalid_body', 'fields=a((&maxDepth=7', { values: 1 }, ['fields syntax', 'maxDepth max', 'values type']],
    [
      'invalid_query',
      'maxDepth=-1&includeHidden=1',
      { values: { nope: 1 } },
      ['includeHidden not_allowed', 'maxDepth format'],
    ],
    ['invalid_query', 'maxDepth=1&maxDepth=2', { values: {} }, ['maxDepth repeated']],
  ])('400 %s for ?%s with %j: errors of the request alone come first', async (code, query, body, issues) => {
    const answer = await call(`PATCH ${chef(3)}?${query}`, { key: editor, body });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe(code);
    expect(issuesOf(answer).sort()).toEqual(issues);
  });
});

describe('the order of the checks', () => {
  const missing = '/api/public/cms/chefs/chef_99';
  const noDatabase = '/api/public/cms/nope/chef_1';
  it.each<[number, string, string, object]>([
    [
      403,
      'the permission, before the media type',
      missing,
      { key: reader, body: '{', headers: { 'content-type': 'a/b' } },
    ],
    [415, 'the media type, before the body', missing, { key: editor, body: '{', headers: { 'content-type': 'a/b' } }],
    [413, 'the size, before the body', missing, { key: editor, body: Buffer.alloc(1_048_577, '{') }],
    [400, 'the body, before the database', noDatabase, { key: editor, body: {} }],
    [400, 'the query, before the database', `${noDatabase}?maxDepth=9`, { key: editor, body: { values: {} } }],
    [404, 'the database, before the values', noDatabase, { key: editor, body: { values: { nope: 1 } } }],
    [400, 'the values, before the entry', missing, { key: editor, body: { values: { nope: 1 } } }],
    [400, 'relation targets, before the entry', missing, { key: editor, body: { values: { mentor: 'chef_98' } } }],
    [400, 'required fields, before the entry', missing, { key: editor, body: { values: { name: null } } }],
    [400, 'names in fields, before the entry', `${missing}?fields=nope`, { key: editor, body: { values: {} } }],
    [404, 'the entry, before If-Match', missing, { key: editor, body: { values: {} }, headers: { 'if-match': '"x"' } }],
    [
      412,
      'If-Match, before checks against stored records',
      chef(3),
      { key: editor, body: { values: { name: { en: null, ar: null } } }, headers: { 'if-match': '"x"' } },
    ],
    [400, 'what is stored', chef(3), { key: editor, body: { values: { name: { en: null, ar: null } } } }],
  ])('%d for %s', async (status, _, path, request) => {
    expect((await call(`PATCH ${path}`, request)).status).toBe(status);
  });

  it('403 names the missing permission', async () => {
    for (const key of [reader, cmsOnly]) {
      const { status, json } = await call(`PATCH ${chef(3)}`, { key, body: { values: {} } });
      expect(status).toBe(403);
      expect(json).toEqual({ code: 'permission_denied', message: expect.stringContaining('cms:entry:update') });
    }
  });
});
