import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { fileNames } from '#test/support/file-names.ts';
import { formBody } from '#test/support/multipart.ts';
import { leftovers } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys, workspaceId } = await openWorkspace('files');
const fives = Array.from({ length: Math.ceil(fileNames.length / 5) }, (_, five) =>
  fileNames.slice(5 * five, 5 * five + 5),
);
const send = (options: object) => call('POST /api/v1/connect/attachments', { key: keys.uploader, ...options });

/** RFC 8187 allows these characters, and percent signs. */
const inPlainCharacters = (name: string): string =>
  encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
const disposition = (name: string) =>
  `Content-Disposition: form-data; name="files"; filename*=UTF-8''${inPlainCharacters(name)}`;

/** Names as `[name, last segment of the key]`. The URL has the key percent-encoded. */
function namesIn(json: { files: { name: string; s3Key: string; url: string }[] }) {
  return json.files.map(({ name, s3Key, url }) => {
    expect(s3Key).toMatch(
      /^workspaces\/[A-Za-z0-9_-]+\/drive\/messaging\/\d{4}-\d\d\/att_[0-9a-z]{33}\/[A-Za-z0-9._-]+$/,
    );
    expect(url).toBe(`http://assets.example/api/v1/connect/assets/${s3Key}`);
    return [name, s3Key.split('/').at(-1)];
  });
}

it.each([
  ['the "best" menu.pdf', 'the--best--menu.pdf'],
  ['line\r\nbreak.txt', 'linebreak.txt'],
  ['100%.txt', '100-.txt'],
])('an upload decodes %j of a form as browsers encode it', async (sent, name) => {
  const form = new FormData();
  form.append('files', new File(['x'], sent));
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const { status, json } = await send({ headers, body: Buffer.from(await request.arrayBuffer()) });
  expect([status, json.files?.[0]?.name]).toEqual([200, name]);
});

describe('sixty file names', () => {
  it.each(fives)('are stored under safe names: %j, %j, %j, %j, %j', async (...some) => {
    const named = some.filter(([sent]) => sent !== '' && sent.isWellFormed());
    const { status, json } = await send(formBody(named.map(([sent]) => ({ head: [disposition(sent)], bytes: 'x' }))));
    expect(status).toBe(200);
    expect(namesIn(json)).toEqual(named.map(([, name, ascii]) => [name, ascii]));
  });

  it.each(fives)('are announced under the same names: %j, %j, %j, %j, %j', async (...some) => {
    const { status, json } = await send({ body: { files: some.map(([name]) => ({ name, type: '', size: 1 })) } });
    expect(status).toBe(200);
    expect(namesIn(json)).toEqual(some.map(([, name, ascii]) => [name, ascii]));
  });

  it('have one object for each record', async () => {
    const { objects, records, openUploads } = await leftovers(workspaceId);
    expect({ objects, openUploads }).toEqual({ objects: records, openUploads: [] });
  });
});
