import { describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { exported } from '#test/support/document-text.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { importFile, load } from '#test/support/world.ts';

const image = (url: unknown) => ({ id: 'img_1', url });
const refused = [
  '',
  ' ',
  'javascript:alert(document.domain)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' https://img.example/1.png',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://img.example/1.png',
  'blob:https://img.example/1',
  'https:img.example',
  'https://',
  'https://img.example/"><script>alert(1)</script>',
  'https://img.example/1 .png',
  'https://img.example/\u0000',
  'https://img.example/\r\nSet-Cookie: a=b',
  '//evil.example/1.png',
  '///evil.example/1.png',
  '/\\evil.example/1.png',
  '\\\\evil.example',
  '/a\\b.png',
  '/a b.png',
  '/a\tb.png',
  '/\u0085',
  '/"onerror="alert(1)',
  'images/1.png',
  '../1.png',
  '/..//evil.example/1.png',
  '/a/../..//evil.example',
  'https://exa\u202emple.com/1.png',
  'https://exam\u0000ple.com',
];
/** The stored form of each. */
const accepted: readonly (readonly [given: string, stored: string])[] = [
  ['https://img.example/1.png?width=2#x', 'https://img.example/1.png?width=2#x'],
  ['HTTP://IMG.example:80/a/../1.png', 'http://img.example/1.png'],
  ['https://img.example/ü.png', 'https://img.example/%C3%BC.png'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ["https://img.example/it's?a='b'#'c'", 'https://img.example/it%27s?a=%27b%27#%27c%27'],
  ['https://img.example/a\u202egnp.1', 'https://img.example/a%E2%80%AEgnp.1'],
  ['https://img.example/%27%E2%80%AE', 'https://img.example/%27%E2%80%AE'],
  ['https://img.example/{a}`b`|', 'https://img.example/%7Ba%7D%60b%60|'],
  ['/', '/'],
  ['/images/1.png', '/images/1.png'],
  ['/صور/1.png', '/%D8%B5%D9%88%D8%B1/1.png'],
  ['/a//b.png', '/a//b.png'],
  ['/a/./../b.png?x=é#ü', '/b.png?x=%C3%A9#%C3%BC'],
  ["/it's/a(1).png", '/it%27s/a(1).png'],
  ['/a\u2066b.png', '/a%E2%81%A6b.png'],
];

const pages = {
  id: 'pages',
  name: { en: 'Pages' },
  fields: [
    { key: 'picture', name: { en: 'Picture' }, type: 'media' },
    { key: 'pictures', name: { en: 'Pictures' }, type: 'media', many: true },
    { key: 'link', name: { en: 'Link' }, type: 'url' },
  ],
};
const { kitchen, key, ...forms } = await (async () => {
  const opened = await openWorkspace(
    'forms',
    withForms([form('links', [field('site', 'URL')])], ({ cms }) => {
      cms.models.push(pages);
      cms.entries.push({ id: 'page_1', modelId: 'pages', values: {} });
    }),
  );
  const { keys, submit, answersOf } = opened;
  return { kitchen: opened, key: keys.editor, submit, answersOf };
})();
const update = (values: object) => call('PATCH /api/public/cms/pages/page_1', { key, body: { values } });

describe('an update of an image URL', () => {
  it.each(refused)('refuses %j, alone and in a list (400)', async (url) => {
    for (const values of [{ picture: image(url) }, { pictures: [image('/ok.png'), image(url)] }]) {
      const { status, json } = await update(values);
      expect(status).toBe(400);
      expect(json.code).toBe('validation_failed');
      // NUL is an error of its own.
      expect([...new Set(issuesOf({ json }))]).toEqual([`values.${Object.keys(values)[0]} format`]);
    }
  });

  it.each(accepted)('stores %j as %j, and that as it is', async (given, stored) => {
    for (const url of [given, stored]) {
      const { status, json } = await update({ picture: image(url), pictures: [image(url)] });
      expect(status).toBe(200);
      expect([json.picture.url, json.pictures[0].url]).toEqual([stored, stored]);
    }
  });
});

describe('a value of type url', () => {
  const unsafe = [
    'https://evil.example/"><script>',
    'https://a.co/<b>',
    'https://a.co/>',
    'javascript:alert(1)',
    '/path',
  ];

  it.each(unsafe)('is refused as %j, in an entry and in a form', async (url) => {
    expect((await update({ link: url })).json.errors).toMatchObject([{ path: 'values.link', code: 'format' }]);
    expect((await forms.submit('links', { site: url })).json.errors).toMatchObject([{ path: 'site', code: 'format' }]);
  });

  it.each(accepted.filter(([given]) => !given.startsWith('/')))(
    'is stored in an entry and in a form as browsers serialise it: %j as %j',
    async (given, stored) => {
      expect((await update({ link: `\u200f ${given}` })).json.link).toBe(stored);
      const { headers } = await forms.submit('links', { site: given });
      expect(await forms.answersOf(headers['x-form-response-id'])).toEqual({ site: stored });
    },
  );
});

describe('an import', () => {
  it('stores the serialised addresses of products, categories, entries', async () => {
    const document = structuredClone(kitchen.document);
    document.menu.products[0].images = [image("https://IMG.example/it's.png")];
    document.menu.categories[0].showcase = image('/é.png');
    const entry = document.cms.entries.find(({ id }: { id: string }) => id === 'page_1');
    entry.values = { link: 'https://a.co/\u202ex' };
    await load(document);
    const stored = await exported(document.workspace.id);
    expect(
      stored.menu.products.find(({ id }: { id: string }) => id === document.menu.products[0].id).images,
    ).toMatchObject([{ url: 'https://img.example/it%27s.png' }]);
    expect(JSON.stringify([stored.menu.categories, stored.cms.entries])).toMatch(/"\/%C3%A9\.png".*\/%E2%80%AEx"/);
  });

  it('refuses unsafe URLs of images and url fields, each with its path', async () => {
    const document = structuredClone(kitchen.document);
    document.menu.products[0].thumbnail = image('javascript:alert(1)');
    document.menu.products[0].images = [image('/ok.png'), image('//evil.example/1.png')];
    document.menu.categories[0].showcase = image('data:text/html,x');
    const entry = document.cms.entries.find(({ id }: { id: string }) => id === 'page_1');
    entry.values = { picture: image('/\\evil.example'), link: 'https://a.co/"' };
    const { failures } = await importFile(document);
    const found = failures.map((failure) => JSON.stringify(failure)).join('\n');
    for (const path of ['thumbnail.url', 'images.1.url', 'showcase.url', 'values.picture', 'values.link']) {
      expect(found).toContain(path);
    }
    expect(failures.length).toBe(5);
  });
});
