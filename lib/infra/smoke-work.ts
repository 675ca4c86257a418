import { type Answer, type Asked, ask, type Checks, expected, json, refused, skipped, withKey } from './smoke-ask.ts';

// The checks that leave something behind: a file, a conversation.

const attachments = '/api/v1/connect/attachments';
const uploadBytes = 3 * 1_048_576;

const fileOf = (bytes: Uint8Array<ArrayBuffer>): RequestInit => {
  const form = new FormData();
  form.append('files', new Blob([bytes], { type: 'text/plain' }), 'smoke.txt');
  return { method: 'POST', body: form };
};

export const files: Checks = {
  'upload that is refused before it is read': async (asked) => {
    return refused(await ask(asked, attachments, fileOf(new Uint8Array(uploadBytes))), 401, 'missing_api_key');
  },
  'upload, download, and a part of it': async (asked) => {
    const sent = Buffer.from('A file of the smoke test.\n'.repeat(100));
    const stored = await withKey(asked, attachments, fileOf(new Uint8Array(sent)));
    if (stored.status !== 200) return expected(false, stored, '200');
    const { pathname } = new URL(/"url":"([^"]+)"/.exec(stored.body.toString())?.[1] ?? '');
    const whole = await withKey(asked, pathname);
    if (!whole.body.equals(sent)) return expected(false, whole, 'the bytes that were sent');
    const part = await withKey(asked, pathname, { headers: { range: 'bytes=2-5' } });
    return expected(part.status === 206 && part.body.equals(sent.subarray(2, 6)), part, '206 and four bytes');
  },
};

export const replies: Checks = {
  'reply to a visitor': (asked) =>
    replyFrom(asked, (answer) => {
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
      const isWhole = /^data: .*"done"/m.test(answer.body.toString());
      return expected(answer.status === 200 && isStream && isWhole, answer, 'a stream that ends with done');
    }),
  'streamed reply': (asked) =>
    replyFrom(asked, (answer) => expected(answer.parts > 1, answer, 'a stream of several parts')),
};

/** A visitor of the website opens a session, writes, and asks for the reply of the website's agent. */
async function replyFrom(asked: Asked, judge: (answer: Answer) => string | undefined): Promise<string | undefined> {
  if (asked.website === undefined) return `${skipped}no --website`;
  const connect = '/api/v1/connect';
  const opened = await withKey(asked, `${connect}/visitor-sessions`, json({ channelIdentifier: asked.website }));
  if (opened.status !== 201) return expected(false, opened, '201');
  const { token, conversationId, customerId: senderId, agentId } = JSON.parse(opened.body.toString());
  if (agentId === null) return `${skipped}the channel of the website has no agent`;
  const visitor = { ...asked, key: token };
  const written = json({ senderType: 'customer', text: 'Are you open today?' });
  const message = await withKey(visitor, `${connect}/conversations/${conversationId}/messages`, written);
  if (message.status !== 201) return expected(false, message, '201');
  const reply = json({ agentId, conversationId, senderId });
  return judge(await withKey(visitor, `${connect}/ai-stream`, reply));
}
