import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { type S3Fault, S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { timed } from '#test/support/spent-time.ts';
import { openWorkspace } from '#test/support/workspace.ts';

// The functions are imported from here on, so that their bucket is behind the proxy.
const proxy = await S3FaultProxy.start();
process.env['AWS_ENDPOINT_URL_S3'] = proxy.url;
afterEach(() => proxy.heal());
afterAll(() => proxy.stop());

const forms = await openWorkspace(
  'forms',
  withForms([form('open', [field('cv', 'FILE', { required: true })])], (document) => {
    const permissions = ['messaging:conversation:engage'];
    const secret = `uploader-${document.workspace.id}`;
    document.apiKeys.push({ id: 'key_uploader', name: 'Uploader', secret, permissions, memberId: 'mem_1' });
  }),
);
const key = `uploader-${forms.workspaceId}`;
const path = '/api/v1/connect/attachments';

async function announce(): Promise<{ id: string; send(): Promise<number> }> {
  const body = { files: [{ name: 'cv.pdf', type: 'application/pdf', size: 3 }] };
  const { id, upload } = (await call(`POST ${path}/announce`, { key, body })).json.files[0];
  const { method, url, headers } = upload;
  return { id, send: async () => (await fetch(url, { method, headers, body: 'cv!' })).status };
}

const submit = async (cv: unknown) => (await forms.submit('open', { cv })).status;

describe('a FILE answer', () => {
  it('may name an uploaded file', async () => {
    const body = new FormData();
    body.append('files', new Blob(['cv!'], { type: 'application/pdf' }), 'cv.pdf');
    const request = new Request('http://localhost', { method: 'POST', body });
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    const uploaded = await call(`POST ${path}`, { key, headers, body: Buffer.from(await request.arrayBuffer()) });
    expect(uploaded.status).toBe(200);
    expect(await submit(uploaded.json.files[0].id)).toBe(200);
  });

  it('may name a directly uploaded file as soon as it is in the bucket', async () => {
    const first = await announce();
    const second = await announce();
    expect(await submit(first.id)).toBe(400);
    expect(await first.send()).toBe(200);
    expect(await submit([first.id, second.id])).toBe(400);
    expect(await submit(first.id)).toBe(200);
    expect(await submit([first.id])).toBe(200);
  });

  it.each<S3Fault>([
    { kind: 'hang' },
    { kind: 'reset before' },
    { kind: 'error', code: 'InternalError', status: 500 },
    { kind: 'error', code: 'SlowDown', status: 503 },
  ])(
    'is refused with 503 within three seconds, and accepted later, while the bucket does not answer: %j',
    async (fault) => {
      const { id, send } = await announce();
      expect(await send()).toBe(200);
      proxy.plan('any', fault);
      const { result, waited } = await timed(() => forms.submit('open', { cv: id }));
      expect([result.status, result.json.code]).toEqual([503, 'unavailable']);
      expect(waited).toBeLessThan(3_000);
      proxy.heal();
      expect(await submit(id)).toBe(200);
    },
  );

  it('may not name a merely announced file', async () => {
    const { json } = await forms.submit('open', { cv: (await announce()).id });
    expect(json.errors).toEqual([
      { path: 'cv', code: 'not_allowed', message: 'cv: Must be ids of uploaded files of the workspace.' },
    ]);
  });
});
