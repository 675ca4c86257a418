import { describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { issuesOf } from '#test/support/answers.ts';
import { exported } from '#test/support/document-text.ts';
import { testedKinds } from '#test/support/manage-kinds.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, load, testTable } from '#test/support/world.ts';

const kitchen = await openWorkspace('records');
const other = await openWorkspace('records');

describe.each(testedKinds.map((tested) => [tested.kind, tested] as const))(
  'POST %s',
  (kind, { fresh, defaults, wrong, faults, stored, listOf }) => {
    it('stores the same as an import of the record, with a generated id', async () => {
      const { status, json, headers } = await kitchen.manage(`POST ${kind}`, fresh(`made-${kind}`));
      expect(status).toBe(201);
      expect(json).toMatchObject({ ...fresh(`made-${kind}`), ...defaults, id: expect.any(String) });
      expect(headers).toMatchObject({
        location: `/api/v1/manage/${kind}/${json.id}`,
        etag: expect.stringMatching(/^"/),
      });
      const get = await kitchen.manage(`GET ${kind}/${json.id}`);
      expect([get.text, get.headers['etag']]).toEqual([JSON.stringify(json), headers['etag']]);
      const document = await exported(kitchen.workspaceId);
      expect(listOf(document).find(({ id }) => id === json.id)).toEqual(json);
      await load(document);
      expect((await kitchen.manage(`GET ${kind}/${json.id}`)).headers['etag']).toBe(headers['etag']);
      expect((await other.manage(`GET ${kind}/${json.id}`)).status).toBe(404);
    });

    it('keeps a given id, and refuses a stored one', async () => {
      const body = { ...fresh(`given-${kind}`), id: `given.${kind}` };
      expect((await kitchen.manage(`POST ${kind}`, body)).json).toMatchObject(body);
      const { status, json } = await kitchen.manage(`POST ${kind}`, { ...fresh(`again-${kind}`), id: stored });
      expect([status, json.code, json.errors]).toEqual([409, 'already_exists', undefined]);
    });

    it('answers all errors together', async () => {
      const { status, json } = await kitchen.manage(`POST ${kind}`, wrong);
      expect([status, json.code]).toEqual([400, 'validation_failed']);
      expect(issuesOf({ json }).sort()).toEqual(faults);
    });

    it('creates one record for an Idempotency-Key, and two without', async () => {
      const headers = { 'idempotency-key': 'one' };
      const [first, again] = await Promise.all(
        [1, 2].map(() => kitchen.manage(`POST ${kind}`, fresh(`once-${kind}`), { headers })),
      );
      expect([first?.status, again?.status]).toEqual([201, 201]);
      expect([again?.text, again?.headers['location']]).toEqual([first?.text, first?.headers['location']]);
      expect((await kitchen.manage(`POST ${kind}`, fresh(`other-${kind}`), { headers })).status).toBe(422);
    });

    it('records one audit event without paths', async () => {
      const { json } = await kitchen.manage(`POST ${kind}`, fresh(`audited-${kind}`));
      const { data: events } = await listEvents(testTable(), kitchen, {
        recordKind: kind,
        recordId: json.id,
        limit: 5,
      });
      expect(events).toMatchObject([
        { action: 'create', actor: { type: 'key', id: 'key_all', name: 'all' }, changed: [] },
      ]);
    });
  },
);

it.each<[string, object, string[]]>([
  ['cms-entries', { id: 'note_1', values: {} }, ['modelId required']],
  ['cms-entries', { modelId: '', values: {} }, ['modelId format', 'modelId not_found']],
  ['cms-entries', { modelId: 'a b', values: {} }, ['modelId format', 'modelId not_found']],
  ['cms-entries', { modelId: 5, values: {} }, ['modelId type']],
  ['cms-entries', { modelId: 'nothing', values: {} }, ['modelId not_found']],
  ['agents', { id: '', name: 'x' }, ['id format']],
  ['agents', { id: 'a/b', name: 'x' }, ['id format']],
  ['agents', { id: null, name: 'x' }, ['id type']],
])('POST %s of %j returns each error with its path', async (kind, body, faults) => {
  const { status, json } = await kitchen.manage(`POST ${kind}`, body);
  expect([status, json.errors.map((issue: Document) => `${issue.path} ${issue.code}`)]).toEqual([400, faults]);
});

it.each<[string, object, string[]]>([
  [
    'forms',
    {
      slug: 'shifts',
      title: { en: 'Shifts' },
      fields: [
        {
          id: 'f1',
          ref: 'night',
          title: { en: 'Night' },
          type: 'TIME',
          validations: { minDate: '20:00', maxDate: '5:00' },
        },
        { id: 'f2', ref: 'team', title: { en: 'Team' }, type: 'RADIO', validations: { required: true, options: [] } },
        { id: 'f3', ref: 'guests', title: { en: 'Guests' }, type: 'NUMBER', validations: { min: 4, max: 3 } },
      ],
    },
    [
      'fields.0.validations.maxDate format',
      'fields.1.validations.options required',
      'fields.2.validations.min not_allowed',
    ],
  ],
  [
    'menu-products',
    {
      slug: 'platter',
      name: { en: 'Platter' },
      categoryId: 'cat_1',
      optionSets: [
        { id: 's1', name: { en: 'Dips' }, min: 1, options: [] },
        { id: 's2', name: { en: 'Bread' }, max: 0 },
      ],
    },
    ['optionSets.0.min not_allowed', 'optionSets.1.max not_allowed'],
  ],
])('POST %s refuses bounds that nothing can meet, at the lower one', async (kind, body, faults) => {
  const { status, json } = await kitchen.manage(`POST ${kind}`, body);
  expect([status, issuesOf({ json })]).toEqual([400, faults]);
});

it('POST /manage/{kind} repeats the response for a key whose permissions have changed, with the properties that the key may see', async () => {
  const id = 'key_cms:entry:create';
  const few = ['cms:entry:create', 'cms:entry:read'];
  const put = (permissions: string[]) => kitchen.manage(`PATCH api-keys/${id}`, { permissions });
  const body = { modelId: 'notes', published: true, values: { secret: 'hidden', title: 'shown' } };
  const call = (request: string, headers: Record<string, string>, sent?: object) =>
    kitchen.manage(request, sent, { headers, key: kitchen.secretOf('cms:entry:create') });
  const fields = ['title', 'secret'].map((key) => ({ key, name: { en: key }, type: 'text', hidden: key === 'secret' }));
  await kitchen.manage('PUT cms-models/notes', { name: { en: 'Notes' }, fields });
  await put([...few, 'cms:entry:read-hidden']);
  const first = await call('POST cms-entries', { 'idempotency-key': 'once' }, body);
  expect([first.status, first.json.values]).toEqual([201, { title: 'shown', secret: 'hidden' }]);
  await put(few);
  const again = await call('POST cms-entries', { 'idempotency-key': 'once' }, body);
  expect([again.status, again.json]).toEqual([201, { ...first.json, values: { title: 'shown' } }]);
  expect([again.headers['location'], again.headers['etag']]).toEqual([
    first.headers['location'],
    first.headers['etag'],
  ]);
});

const nested = (levels: number): string => ['{"a":'.repeat(levels), '}'.repeat(levels)].join('1');

it.each([
  ['no JSON object', '[]', 400, 'invalid_body'],
  ['no JSON', '{', 400, 'invalid_body'],
  ['50,000 levels', nested(50_000), 400, 'invalid_body'],
  ['450 levels', nested(450), 400, 'validation_failed'],
  ['__proto__', '{"name":"x","__proto__":{"enabled":false}}', 400, 'validation_failed'],
  ['more than 1 MB', JSON.stringify({ name: 'x'.repeat(1_048_577) }), 413, 'body_too_large'],
  ['more than the table can store', JSON.stringify({ name: 'x'.repeat(400_000) }), 400, 'validation_failed'],
  ['a lone surrogate', '{"name":"\\ud800"}', 400, 'validation_failed'],
])('POST /manage/{kind} refuses a body of %s', async (_, body, status, code) => {
  const answer = await kitchen.manage('POST agents', body);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

it('POST /manage/{kind} accepts JSON only', async () => {
  const { status, json } = await kitchen.manage('POST agents', 'x', { headers: { 'content-type': 'text/plain' } });
  expect([status, json.code]).toEqual([415, 'unsupported_media_type']);
});

it.each([
  ['menu-products', { images: Array(300_000).fill(1) }],
  ['menu-products', { optionSets: [{ options: Array(300_000).fill(1) }] }],
  ['forms', { notifications: { emails: Array(300_000).fill(1) } }],
  ['agents', { tools: Array(300_000).fill(1) }],
])('POST %s refuses more mistakes than an answer can list, at one place', async (kind, body) => {
  const { status, json } = await kitchen.manage(`POST ${kind}`, body);
  expect([status, json.code, issuesOf({ json })]).toEqual([400, 'validation_failed', [' too_large']]);
  expect(json.message).toMatch(/fewer mistakes/);
});
