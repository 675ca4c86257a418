import { beforeAll, describe, expect, it } from '@jest/globals';
import { lacksFeature, openTarget, type Target } from '#test/support/target.ts';

// The service desk sends files and lets the assistant answer a guest.

let target: Target;
let headers: { authorization: string };

beforeAll(async () => {
  target = await openTarget();
  headers = { authorization: `Bearer ${target.keys.desk}` };
});

interface Uploaded {
  readonly url: string;
  readonly s3Key: string;
  readonly upload?: { readonly method: string; readonly url: string; readonly headers: Record<string, string> };
}

async function filesOf(answer: Response): Promise<Uploaded[]> {
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { files: Uploaded[] }).files;
}

/** Uses the address under test. The links have another one when an emulator replaces AWS. */
const download = (s3Key: string, init: RequestInit = {}) =>
  fetch(`${target.url}/api/v1/connect/assets/${s3Key}`, { ...init, headers: { ...headers, ...init.headers } });

const upload = (body: FormData | string, more: Record<string, string> = {}, path = '') =>
  fetch(`${target.url}/api/v1/connect/attachments${path}`, { method: 'POST', headers: { ...headers, ...more }, body });

describe('the desk', () => {
  const text = 'Opening hours: 12:00 to 23:30\nمواعيد العمل\n'.repeat(100);

  it('uploads a note, and downloads the whole file and a range', async () => {
    const form = new FormData();
    form.set('files', new File([text], 'hours مواعيد.txt', { type: 'text/plain' }));
    const [file] = await filesOf(await upload(form));
    const whole = await download(file?.s3Key ?? '');
    expect(whole.status).toBe(200);
    expect(await whole.text()).toBe(text);
    const part = await download(file?.s3Key ?? '', { headers: { range: 'bytes=0-12' } });
    expect([part.status, await part.text()]).toEqual([206, 'Opening hours']);
    expect((await download('workspaces/ws_another/drive/messaging/2026-01/x/note.txt')).status).toBe(403);
  });

  (lacksFeature('direct uploads') ? it.skip : it)('sends a file straight to the bucket', async () => {
    const announced = { files: [{ name: 'hours.txt', type: 'text/plain', size: Buffer.byteLength(text) }] };
    const type = { 'content-type': 'application/json' };
    const [file] = await filesOf(await upload(JSON.stringify(announced), type, '/announce'));
    const { method = '', url = '', headers: pinned = {} } = file?.upload ?? {};
    expect((await fetch(url, { method, headers: pinned, body: text })).status).toBe(200);
    expect(await (await download(file?.s3Key ?? '')).text()).toBe(text);
  });

  (lacksFeature('bytes') ? it.skip : it)('gets back bytes as they were', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
    const form = new FormData();
    form.set('files', new File([bytes], 'photo.png', { type: 'image/png' }));
    const [file] = await filesOf(await upload(form));
    expect(Buffer.from(await (await download(file?.s3Key ?? '')).arrayBuffer()).equals(bytes)).toBe(true);
  });

  async function ask(
    body: object,
  ): Promise<{ readonly type: string; readonly text?: string; readonly error?: string }[]> {
    const answer = await fetch(`${target.url}/api/v1/connect/ai-stream`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '));
    return lines.map((line) => JSON.parse(line.slice(6)));
  }

  it("requests an agent's reply to a guest, and a repeated request gets the same reply", async () => {
    const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' };
    const events = await ask(question);
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'done', messageId: expect.any(String), text: expect.stringContaining('58') });
    expect(events.at(-2)).toMatchObject({ type: 'delta', text: last?.text });
    expect((await ask(question)).at(-1)).toEqual(last);
  });

  it('gets the error for a missing conversation in the stream', async () => {
    const events = await ask({ agentId: 'agent_none', conversationId: 'conv_none', senderId: 'cus_none' });
    expect(events).toEqual([{ type: 'error', error: 'Conversation not found.' }]);
  });
});
