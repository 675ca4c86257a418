import { afterAll, expect, it } from '@jest/globals';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { png, pngChunk, svg } from '#test/support/image-files.ts';
import { formBody } from '#test/support/multipart.ts';
import { LocalService } from '#test/support/processes.ts';

const service = await LocalService.start();
afterAll(() => service.stop());
const mediaAddress = `${service.url}/api/v1/manage/media`;
const authorization = `Bearer ${demoKeys.editor}`;

async function send(method: string, url: string, body?: object) {
  const json = body && { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { authorization }, ...json });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

async function upload(bytes: Buffer, filename = 'dish.png') {
  const { headers, body } = formBody([{ filename, type: 'image/png', bytes }]);
  const response = await fetch(mediaAddress, { method: 'POST', headers: { authorization, ...headers }, body });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

/** The response that a visitor of a website gets, without a key. */
async function fetchPublic(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A valid PNG of this size in bytes. A suggested palette is kept, other than texts. */
const pngOf = (size: number): Buffer => png(3, 2, [pngChunk('sPLT', Buffer.alloc(size - png().length - 12, 'a'))]);

it('an uploaded image is put into an entry, seen on a website, and removed after the entry has another', async () => {
  const bytes = png(30, 20);
  const { status, json: image } = await upload(bytes);
  expect([status, image.width, image.height]).toEqual([201, 30, 20]);
  expect(image.url).toBe(`${service.url}/media/${image.id}`);
  const list = `${service.url}/api/public/cms/chefs/list?limit=1&fields=id,portrait&apiKey=${demoKeys.site}`;
  const [{ id }] = JSON.parse(String((await fetchPublic(list)).bytes));
  const entry = `${service.url}/api/public/cms/chefs/${id}`;
  expect((await send('PATCH', entry, { values: { portrait: image } })).status).toBe(200);

  const [{ portrait }] = JSON.parse(String((await fetchPublic(list)).bytes));
  const seen = await fetchPublic(portrait.url);
  expect([seen.status, seen.bytes.equals(bytes)]).toEqual([200, true]);
  expect(seen.headers.get('content-type')).toBe('image/png');
  expect(seen.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');

  const kept = await send('DELETE', `${mediaAddress}/${image.id}`);
  expect([kept.status, kept.json.errors[0].path]).toEqual([409, `cms-entries/chefs/${id}`]);
  expect((await send('PATCH', entry, { values: { portrait: null } })).status).toBe(200);
  expect((await send('DELETE', `${mediaAddress}/${image.id}`)).status).toBe(204);
  expect((await fetchPublic(image.url)).status).toBe(404);
});

it('an announced image is sent to the bucket, and seen after it was confirmed', async () => {
  const bytes = png(5, 4);
  const files = [{ name: 'dish.png', type: 'image/png', size: bytes.length }];
  const { id, url, upload: target } = (await send('POST', `${mediaAddress}/announce`, { files })).json;
  const put = await fetch(target.url, { method: target.method, headers: target.headers, body: bytes });
  expect([put.status, (await fetchPublic(url)).status]).toEqual([200, 404]);
  expect((await send('POST', `${mediaAddress}/${id}`)).json).toMatchObject({ id, url, width: 5, height: 4 });
  expect((await fetchPublic(url)).bytes.equals(bytes)).toBe(true);
});

it('an image of exactly 10 MB is taken; a byte more, an SVG under another name and a part of a file are not', async () => {
  const most = pngOf(10_485_760);
  const { status, json } = await upload(most);
  expect(status).toBe(201);
  expect((await fetchPublic(json.url)).bytes.equals(most)).toBe(true);
  const over = await upload(pngOf(10_485_761));
  expect([over.status, over.json.code]).toEqual([413, 'file_too_large']);
  for (const bytes of [svg, most.subarray(0, -1), png(60_000, 60_000)]) {
    const refused = await upload(bytes);
    expect([refused.status, refused.json.errors[0].code]).toEqual([400, 'format']);
  }
});
