import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { lacksFeature, openTarget, type Target } from '#test/support/target.ts';

// A visitor of a website chats from the browser, with a token that the website's server has got.

const host = `shop-${crypto.randomUUID().slice(0, 8)}.example`;
const origin = `https://www.${host}`;
let target: Target;
let visitor: { token: string; conversationId: string; customerId: string };

beforeAll(async () => {
  target = await openTarget();
});

/** Retries a 503, as the server of a website does, because a cold function may be slow. */
async function openSession(body: object, tries = 5): Promise<Response> {
  const answer = await fetch(`${target.url}/api/v1/connect/visitor-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.keys.desk}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 503 || tries === 1) return answer;
  await delay(1_000);
  return openSession(body, tries - 1);
}

/** Sends the request as a browser does on a page of the origin. */
const browse = (path: string, { headers, ...init }: RequestInit = {}, from = origin) =>
  fetch(`${target.url}/api/v1/connect/${path}`, {
    ...init,
    headers: { origin: from, authorization: `Bearer ${visitor.token}`, ...headers },
  });
const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const messages = () => `conversations/${visitor.conversationId}/messages`;

describe('a visitor', () => {
  it('gets a session from the server of the website', async () => {
    const answer = await openSession({ channelIdentifier: host });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    visitor = (await answer.json()) as typeof visitor;
    expect(visitor.token).toMatch(/^wst_/);
  });

  const streamed = ['ai-stream', 'assets/workspaces/x'];
  const buffered = ['attachments', 'conversations/x/messages', 'conversations/x/read'];
  it.each([...streamed, ...(lacksFeature('preflights') ? [] : buffered)])(
    'is let through by the preflight of %s',
    async (path) => {
      const asked = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      };
      const answer = await fetch(`${target.url}/api/v1/connect/${path}`, { method: 'OPTIONS', headers: asked });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization');
    },
  );

  it('writes, and polls for news', async () => {
    const sent = await browse(messages(), json({ senderType: 'customer', text: 'Are you open?' }));
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
    const page = await browse(messages());
    expect(((await page.json()) as { data: object[] }).data).toMatchObject([{ text: 'Are you open?' }]);
    const etag = page.headers.get('etag') ?? '';
    const again = await browse(messages(), { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, origin]);
  });

  it('uploads and downloads a file', async () => {
    const form = new FormData();
    form.set('files', new File(['A note.'], 'note.txt', { type: 'text/plain' }));
    const uploaded = await browse('attachments', { method: 'POST', body: form });
    expect([uploaded.status, uploaded.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const { files } = (await uploaded.json()) as { files: { s3Key: string }[] };
    const read = await browse(`assets/${files[0]?.s3Key}`);
    expect([read.headers.get('access-control-allow-origin'), await read.text()]).toEqual([origin, 'A note.']);
  });

  it('gets no reply where no agent answers', async () => {
    const { conversationId, customerId: senderId } = visitor;
    const answer = await browse('ai-stream', json({ agentId: 'agent_saffron', conversationId, senderId }));
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, origin]);
  });

  it('reaches nothing else, and nothing from another website', async () => {
    expect((await browse('conversations/conv_huda/messages')).status).toBe(404);
    expect((await browse('conversations')).status).toBe(403);
    const stolen = await browse(messages(), {}, 'https://elsewhere.example');
    expect([stolen.status, stolen.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('continues with a renewed token', async () => {
    const { status } = await openSession({ renew: visitor.token });
    expect(status).toBe(201);
    visitor = { ...visitor, token: `wst_${'0'.repeat(43)}` };
    const ended = await browse(messages());
    expect([ended.status, ended.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
  });
});
