import { expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const image = { id: 'img_1', url: 'https://example.com/a.png', alt: { en: 'A', ar: 'أ' }, width: 1, height: 1 };
const title = { key: 'title', name: { en: 'Title', ar: 'عنوان' }, type: 'text', localized: true };
const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [
      {
        id: 'notes',
        name: { en: 'Notes', ar: 'ملاحظات' },
        fields: [
          title,
          { key: 'photo', name: { en: 'Photo' }, type: 'media' },
          { key: 'size', name: { en: 'Size' }, type: 'number' },
        ],
      },
    ],
    entries: [
      { id: 'note_1', modelId: 'notes', values: { title: { en: 'One', ar: 'واحد' }, photo: image, size: 3 } },
      { id: 'note_2', modelId: 'notes', values: { title: { ar: 'اثنان' } } },
    ],
  };
  document.menu.products.push({
    id: 'prod_ar',
    slug: 'arabic',
    name: { en: 'Dish', ar: 'طبق' },
    description: { ar: 'وصف' },
    categoryId: 'cat_1',
    thumbnail: image,
    images: [image],
    priceOptions: [{ id: 'po_1', price: 1, name: { en: 'Small', ar: 'صغير' } }],
  });
  document.forms[0].title = { en: 'Contact', ar: 'اتصل' };
});
const { manage } = kitchen;
const addresses = ['cms-models/notes', 'cms-entries/notes/note_1', 'menu-products/prod_ar', 'forms/form_1'];
const before = await Promise.all(addresses.map((address) => manage(`GET ${address}`)));
const removed = await manage('PATCH workspace', { languages: ['en'] });

it('management hides the texts of a removed language in records, lists and exports', async () => {
  expect(removed.status).toBe(200);
  const answers = [
    ...addresses,
    'cms-models',
    'cms-entries?modelId=notes',
    'menu-products',
    'forms',
    'menu-categories',
  ];
  for (const address of answers) {
    const { status, text } = await manage(`GET ${address}`);
    expect([address, status, text.match(/"ar"/)]).toEqual([address, 200, null]);
  }
  expect(JSON.stringify(await exported(kitchen.workspaceId))).not.toContain('"ar"');
  const { json } = await manage('GET menu-products/prod_ar');
  expect(json).toMatchObject({ name: { en: 'Dish' }, description: {}, thumbnail: { alt: { en: 'A' } } });
  expect((await manage('GET cms-entries/notes/note_2')).json.values.title).toBeNull();
});

it('management sends a new body to a caller whose ETag includes the texts', async () => {
  for (const [index, address] of addresses.entries()) {
    const etag = before[index]?.headers['etag'] ?? '';
    const { status } = await manage(`GET ${address}`, undefined, { headers: { 'if-none-match': etag } });
    expect([address, status]).toEqual([address, 200]);
  }
});

it('management leaves a stored record unchanged when a patch changes nothing', async () => {
  for (const address of addresses) {
    const { headers } = await manage(`GET ${address}`);
    const { status, headers: after, text } = await manage(`PATCH ${address}`, {});
    expect([address, status, after['etag']]).toEqual([address, 200, headers['etag']]);
    expect(text).not.toContain('"ar"');
  }
});

it('management removes the texts with the next write of the record', async () => {
  const patches = [{ name: { en: 'Renamed' } }, { values: { size: 4 } }, { soldout: true }, { enabled: false }];
  for (const [index, address] of addresses.entries()) {
    const { status, text, json } = await manage(`PATCH ${address}`, patches[index]);
    expect([address, status, json.errors]).toEqual([address, 200, undefined]);
    expect(text).not.toContain('"ar"');
  }
  await manage('PATCH workspace', { languages: ['en', 'ar'] });
  for (const address of addresses) expect((await manage(`GET ${address}`)).text).not.toContain('"ar"');
  expect((await manage('GET cms-entries/notes/note_2')).json.values.title).toEqual({ ar: 'اثنان' });
  expect((await manage('GET menu-products/prod_1')).json.name).toEqual({ en: 'Dish 1', ar: 'طبق 1' });
});

it('an update of an entry outside of management keeps the texts of a removed language', async () => {
  await manage('PUT cms-entries/notes/note_3', { values: { title: { en: 'Three', ar: 'ثلاثة' }, size: 1 } });
  await manage('PATCH workspace', { languages: ['en'] });
  const body = { values: { size: 2 } };
  const updated = await call('PATCH /api/public/cms/notes/note_3', { key: kitchen.secretOf('all'), body });
  expect([updated.status, updated.json.title]).toEqual([200, { en: 'Three' }]);
  await manage('PATCH workspace', { languages: ['en', 'ar'] });
  expect((await manage('GET cms-entries/notes/note_3')).json.values.title).toEqual({ en: 'Three', ar: 'ثلاثة' });
});
