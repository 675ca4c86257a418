import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { FormKitchen, field, form } from '#test/support/form-kitchen.ts';
import { importFile } from '#test/support/world.ts';

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
];
const accepted = [
  'https://img.example/1.png?width=2#x',
  'HTTP://img.example:8080/1.png',
  'https://img.example/صورة.png',
  '/',
  '/images/1.png',
  '/صور/1.png',
  '/a//b.png',
  "/it's/a(1).png",
];

const pages = {
  id: 'pages',
  name: {},
  fields: [
    { key: 'picture', name: {}, type: 'media' },
    { key: 'pictures', name: {}, type: 'media', many: true },
    { key: 'link', name: {}, type: 'url' },
  ],
};
const { kitchen, key, ...forms } = await (async () => {
  const opened = await FormKitchen.open([form('links', [field('site', 'URL')])], ({ cms }) => {
    cms.models.push(pages);
    cms.entries.push({ id: 'page_1', modelId: 'pages', values: {} });
  });
  return { kitchen: opened.kitchen, key: opened.kitchen.keys.editor, submit: opened.submit.bind(opened) };
})();
const update = (values: object) => call('PATCH /api/public/cms/pages/page_1', { key, body: { values } });

describe('an update of an image URL', () => {
  it.each(refused)('refuses %j, alone and in a list (400)', async (url) => {
    for (const values of [{ picture: image(url) }, { pictures: [image('/ok.png'), image(url)] }]) {
      const { status, json } = await update(values);
      expect(status).toBe(400);
      expect(json).toMatchObject({
        code: 'validation_failed',
        errors: [{ path: `values.${Object.keys(values)[0]}`, code: 'format' }],
      });
    }
  });

  it.each(accepted)('accepts %j', async (url) => {
    const { status, json } = await update({ picture: image(url) });
    expect(status).toBe(200);
    expect(json.picture.url).toBe(url);
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

  it('may contain encoded quotes', async () => {
    expect((await update({ link: "https://a.co/%22it's%22" })).status).toBe(200);
  });
});

describe('an import', () => {
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
