import { describe, expect, it } from '@jest/globals';
import type { ParsedRecord } from '#lib/kinds/kinds.ts';
import { nothingStored } from '#lib/workspace/document-lookup.ts';
import { readDocument } from '#lib/workspace/read-document.ts';
import { parsedRecords, validateDocument } from '#lib/workspace/validate-document.ts';
import { type Document, fileOf, shortForm, smallDocument, validated } from './document-file.ts';

/** The records that an import would write. */
async function parsed(content: string, name?: string): Promise<ParsedRecord[]> {
  const file = await fileOf(content, name);
  const validation = await validateDocument(() => readDocument(file), { stored: () => nothingStored });
  expect(validation.failures).toEqual([]);
  return Array.fromAsync(parsedRecords(() => readDocument(file), validation));
}

async function parsedOf(kind: string, change: (document: Document) => void = () => undefined): Promise<unknown[]> {
  const document = smallDocument();
  change(document);
  const records = await parsed(JSON.stringify(document));
  return records.filter((record) => record.kind === kind).map(({ record }) => record);
}

const linesOf = (document: Document): object[] => [
  { kind: 'workspace', version: 1, ...document.workspace },
  { kind: 'cmsEntry', ...document.cms.entries[0] },
  { kind: 'cmsModel', ...document.cms.models[0] },
  { kind: 'menuProduct', ...document.menu.products[0] },
  { kind: 'menuCategory', ...document.menu.categories[0] },
];

describe('a record that is imported', () => {
  it('has all defaults, in the order of the schema, and its missing time stamps as undefined', async () => {
    const [product] = await parsedOf('menuProduct');
    expect(JSON.stringify(product)).toBe(
      '{"id":"prod_1","slug":"kabsa","barcode":null,"name":{"en":"Kabsa"},"intro":null,"description":null,"priceOptions":[],' +
        '"thumbnail":null,"images":[],"published":true,"publishAt":null,"unpublishAt":null,"soldout":false,"soldoutUntil":null,"preparationTime":null,' +
        '"nutritionFacts":null,"suggestions":[],"categoryId":"cat_1","optionSets":[],"position":null}',
    );
    expect(Object.keys(product as object).slice(-2)).toEqual(['createdAt', 'updatedAt']);
  });

  it.each<[string, object]>([
    ['member', { email: null, active: true, permissions: [] }],
    [
      'apiKey',
      {
        expiresAt: null,
        revokedAt: null,
        permissions: expect.arrayContaining(['cms:entry:read', 'forms:response:create']),
      },
    ],
    [
      'form',
      {
        enabled: true,
        notifications: { emails: [] },
        fields: [expect.objectContaining({ order: 0, validations: {} })],
      },
    ],
    ['agent', { enabled: true, instructions: '' }],
    ['conversation', { kind: 'order', parentId: null, language: null, status: 'open' }],
    ['message', { channelId: null, createdAt: undefined }],
    ['formResponse', { meta: {} }],
    ['notification', { readAt: null }],
  ])('an imported record of the kind %s has its defaults', async (kind, defaults) => {
    expect(await parsedOf(kind)).toEqual([expect.objectContaining(defaults)]);
  });

  it('keeps an empty list of permissions of a key', async () => {
    expect(await parsedOf('apiKey', (d) => (d.apiKeys[0].permissions = []))).toMatchObject([{ permissions: [] }]);
  });

  it('keeps only those validations of a form field that are given', async () => {
    const [form] = await parsedOf('form', (d) => (d.forms[0].fields[0].validations = { maxLength: 5 }));
    expect(form).toMatchObject({ fields: [{ validations: { maxLength: 5 } }] });
    expect((form as Document).fields[0].validations).not.toHaveProperty('required');
  });

  it('has the values of an entry as they are stored', async () => {
    const values = { name: { en: 'Noor', ar: null }, phone: ' +966 50 000 ', notes: { a: [1] } };
    expect(await parsedOf('cmsEntry', (d) => (d.cms.entries[0].values = values))).toMatchObject([
      {
        published: true,
        values: { name: { en: 'Noor' }, phone: '+966 50 000', notes: '{"a":[1]}', mentor: null, signature: null },
      },
    ]);
  });

  it('has the host of a website channel in its one spelling', async () => {
    const change = (d: Document) => (d.messaging.channels[0].identifier = 'https://www.Saffron.example./menu');
    expect(await parsedOf('channel', change)).toMatchObject([{ identifier: 'saffron.example' }]);
  });

  it('is the same in both encodings, in any order of lines', async () => {
    const lines = linesOf(smallDocument());
    const records = await parsed(lines.map((line) => JSON.stringify(line)).join('\n'), 'a.ndjson');
    const whole = await parsed(JSON.stringify(smallDocument()));
    expect(records.map(({ kind }) => kind)).toEqual([
      'workspace',
      'cmsEntry',
      'cmsModel',
      'menuProduct',
      'menuCategory',
    ]);
    for (const record of records) expect(whole).toContainEqual(record);
  });
});

describe('a record without an id', () => {
  const idsOf = async (members: object[]) => {
    const records = await parsedOf('customer', (d) => d.messaging.customers.push(...members));
    return records.slice(1).map((record) => (record as { id: string }).id);
  };

  it('gets the same one every time, in any order of its members', async () => {
    const [id] = await idsOf([{ name: 'Huda', phone: '12345' }]);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await idsOf([{ phone: '12345', name: 'Huda' }])).toEqual([id]);
  });

  it('gets another one when its content is another', async () => {
    const [id, otherId] = await idsOf([{ name: 'Huda' }, { name: 'Hoda' }]);
    expect(id).not.toBe(otherId);
  });

  it('has an id that does not reveal its secret', async () => {
    const key = async (secret: string) => {
      const [record] = await parsedOf('apiKey', (d) => (d.apiKeys = [{ name: 'Site', secret }]));
      return (record as { id: string }).id;
    };
    expect(await key('saffron-site-key-0000000000')).toBe(await key('saffron-site-key-1111111111'));
  });
});

describe('stored records', () => {
  const without = (...kinds: string[]) => {
    const { workspace, version, cms, menu } = smallDocument();
    const document: Document = { workspace, version, cms, menu };
    for (const kind of kinds) {
      const [group = '', list = ''] = kind.split('.');
      delete document[group][list];
    }
    return document;
  };
  const [model] = smallDocument().cms.models;

  it('counts as there', async () => {
    const stored = {
      has: async (kind: string, id: string) => kind === 'menuCategory' && id === 'cat_1',
      model: async (id: string) => (id === 'chefs' ? { ...model, fields: model.fields.slice(0, 1) } : undefined),
    };
    const { failures } = await validated(without('cms.models', 'menu.categories'), { stored });
    expect(shortForm(failures)).toEqual(['cmsEntry chef_1 values.signature unknown_field']);
  });

  it('may hold a slug that the document gives to another record', async () => {
    const idOfName = async (kind: string, name: string) =>
      kind === 'menuProduct' && name === 'kabsa' ? 'prod_2' : undefined;
    const document = without();
    expect(shortForm((await validated(document, { stored: { idOfName } })).failures)).toEqual([
      'menuProduct prod_1 slug duplicate',
    ]);
    expect((await validated(document, { stored: { idOfName }, prune: true })).failures).toEqual([]);
    document.menu.products.push({ id: 'prod_2', slug: 'other', name: { en: 'Other' }, categoryId: 'cat_1' });
    expect((await validated(document, { stored: { idOfName } })).failures).toEqual([]);
  });

  it('does not count where it is about to be pruned', async () => {
    const stored = { has: async () => true };
    const document = without();
    document.menu.products[0].categoryId = 'cat_2';
    expect((await validated(document, { stored })).failures).toEqual([]);
    expect(shortForm((await validated(document, { stored, prune: true })).failures)).toEqual([
      'menuProduct prod_1 categoryId not_found',
    ]);
    delete document.menu.categories;
    expect((await validated(document, { stored, prune: true })).failures).toEqual([]);
  });

  it.each([
    ['ws_1', 'key_1', []],
    ['ws_1', 'key_2', ['apiKey key_1 secret duplicate']],
    ['ws_2', 'key_1', ['apiKey key_1 secret duplicate']],
  ])('may be the secret of %s %s', async (workspaceId, keyId, found) => {
    const stored = { ownerOfSecret: async () => ({ workspaceId, keyId }) };
    expect(shortForm((await validated(smallDocument(), { stored })).failures)).toEqual(found);
  });
});

it('The records of every kind are counted', async () => {
  const { counts, workspaceId } = await validated(smallDocument());
  expect(workspaceId).toBe('ws_1');
  expect(counts).toMatchObject({ workspace: 1, cmsEntry: 1, notification: 1 });
  expect(Object.keys(counts)).toHaveLength(16);
});
