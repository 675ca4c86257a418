import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { everyKind } from '#test/support/every-kind.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile, load } from '#test/support/world.ts';

const stored = '2026-01-02T03:04:05.000Z';
const sameInstant = '2026-01-02T06:04:05+03:00';
const other = '2026-01-02T03:04:05.001Z';

const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [
      {
        id: 'notes',
        name: { en: 'Notes' },
        fields: [{ key: 'title', name: { en: 'Title' }, type: 'text', localized: true }],
      },
    ],
  };
});
const { manage } = kitchen;
const text = (en: string) => ({ en });

const kinds: [path: string, record: Document][] = [
  ['cms-entries', { id: 'entry_1', modelId: 'notes', values: { title: text('One') } }],
  ['menu-categories', { id: 'cat_new', slug: 'new', name: text('New') }],
  ['menu-products', { id: 'prod_new', slug: 'new', name: text('New'), categoryId: 'cat_1', priceOptions: [] }],
];
const refusal = {
  code: 'validation_failed',
  errors: [{ path: 'createdAt', code: 'not_allowed', message: expect.stringContaining(stored) }],
};

describe.each(kinds)('createdAt of a stored record of %s', (path, { id, modelId, ...members }) => {
  const address = modelId ? `${path}/${modelId}/${id}` : `${path}/${id}`;
  const whole = { ...members, createdAt: stored };

  it('is taken from the body that creates the record', async () => {
    const { status, json } = await manage(`POST ${path}`, { ...whole, id, ...(modelId && { modelId }) });
    expect([status, json.createdAt]).toEqual([201, stored]);
  });

  it.each(['PUT', 'PATCH'])('stays with another instant in %s, which is 400', async (method) => {
    const body = method === 'PUT' ? { ...whole, createdAt: other } : { createdAt: other };
    const { status, json } = await manage(`${method} ${address}`, body);
    expect([status, json]).toEqual([400, expect.objectContaining(refusal)]);
    expect((await manage(`GET ${address}`)).json.createdAt).toBe(stored);
  });

  it.each(['PUT', 'PATCH'])('stays with the same instant, or without one, in %s', async (method) => {
    for (const createdAt of [sameInstant, undefined]) {
      const body = method === 'PUT' ? { ...whole, createdAt } : { createdAt };
      const { status, json } = await manage(`${method} ${address}`, body);
      expect([createdAt, status, json.createdAt]).toEqual([createdAt, 200, stored]);
    }
  });

  it('is reported beside all other faults of a body', async () => {
    const { json } = await manage(`PATCH ${address}`, { createdAt: other, unknown: 1 });
    expect(json.errors.map(({ path }: Document) => path).toSorted()).toEqual(['createdAt', 'unknown']);
  });

  it('stays in one of several changes', async () => {
    const change = { method: 'PATCH', kind: path, id: address.slice(path.length + 1), record: { createdAt: other } };
    const { json } = await manage('POST changes', { changes: [change] });
    expect(json.results).toEqual([{ status: 400, id: change.id, error: expect.objectContaining(refusal) }]);
  });

  it('does not matter when the id is taken, which is 409', async () => {
    const body = { ...whole, id, createdAt: other, ...(modelId && { modelId }) };
    expect((await manage(`POST ${path}`, body)).status).toBe(409);
  });

  it('may be another one after the record was removed', async () => {
    expect((await manage(`DELETE ${address}`)).status).toBe(204);
    const { status, json } = await manage(`PUT ${address}`, { ...whole, createdAt: other });
    expect([status, json.createdAt]).toEqual([201, other]);
  });
});

it('createdAt of a draft that the caller may not see is not told', async () => {
  const entry = { id: 'draft_1', modelId: 'notes', published: false, createdAt: stored, values: { title: text('D') } };
  expect((await manage('POST cms-entries', entry)).status).toBe(201);
  const key = await kitchen.keyWith(['cms:entry:read', 'cms:entry:create', 'cms:entry:update']);
  const { id: _, modelId: __, ...body } = { ...entry, createdAt: other };
  const answer = await call('PUT /api/v1/manage/cms-entries/notes/draft_1', { key, body });
  expect([answer.status, answer.text.includes(stored)]).toEqual([409, false]);
});

describe('a document with another createdAt than a stored record', () => {
  const document = everyKind();
  const { workspace } = document;
  const later = '2027-01-01T00:00:00.000Z';

  /** The records of all kinds with `createdAt`, by the kind in findings. */
  const recordsOf = (exportedDocument: Document): Record<string, Document> => ({
    cmsEntry: exportedDocument.cms.entries[0],
    menuCategory: exportedDocument.menu.categories[0],
    menuProduct: exportedDocument.menu.products[0],
    conversation: exportedDocument.messaging.conversations[0],
    message: exportedDocument.messaging.messages[0],
    attachment: exportedDocument.attachments[0],
    formResponse: exportedDocument.formResponses[0],
    notification: exportedDocument.notifications[0],
  });

  it('is a failure that names the stored value, for every kind, and changes nothing', async () => {
    await load(document);
    const before = await exported(workspace.id);
    const next = structuredClone(before);
    for (const record of Object.values(recordsOf(next))) record.createdAt = later;
    for (const exportedAt of [next.exportedAt, undefined]) {
      const { failures } = await importFile({ ...next, exportedAt });
      const found = failures.map(({ kind, id, path, message }: Document) => [kind, id, path, message]);
      const expected = Object.entries(recordsOf(before)).map(([kind, { id, createdAt }]) => [
        kind,
        id,
        'createdAt',
        expect.stringContaining(createdAt),
      ]);
      expect(found.toSorted()).toEqual(expected.toSorted());
    }
    expect({ ...(await exported(workspace.id)), exportedAt: undefined }).toEqual({ ...before, exportedAt: undefined });
  });

  it('changes no creation time when the document has none', async () => {
    const before = await exported(workspace.id);
    const next = structuredClone(before);
    for (const record of Object.values(recordsOf(next))) record.createdAt = undefined;
    expect((await load(next)).changed).toBe(0);
    for (const [kind, record] of Object.entries(recordsOf(next))) {
      const { createdAt } = recordsOf(await exported(workspace.id))[kind] ?? {};
      expect([kind, createdAt]).toEqual([kind, recordsOf(before)[kind]?.createdAt]);
      expect(record.createdAt).toBeUndefined();
    }
  });
});
