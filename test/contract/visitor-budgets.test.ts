import { afterAll, describe, expect, it } from '@jest/globals';
import { messagingKeys } from '#lib/table/messaging/keys.ts';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { formBody } from '#test/support/multipart.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { conversations, eventsOf, streamPath, type Visitor } from '#test/support/presets/chat.ts';
import { leftovers } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const model = await startOpenAiServer();
Object.assign(process.env, { OPENAI_BASE_URL: model.url, AI_TOKENS_PER_DAY: '300' });
afterAll(() => model.close());
afterAll(() => void delete process.env['AI_TOKENS_PER_DAY']);

// A day that ends during a test would begin another count.
freezeDate();
const room = await openWorkspace('visitors');
const megabyte = 1_048_576;
const path = 'POST /api/v1/connect/attachments';
const announce = (key: string, sizes: readonly number[]) =>
  call(`${path}/announce`, { key, body: { files: sizes.map((size) => ({ name: 'a.pdf', type: 'x/y', size })) } });
const send = (key: string, headers = {}) => {
  const form = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'A note.' }]);
  return call(path, { key, body: form.body, headers: { ...form.headers, ...headers } });
};
const renewed = async ({ token }: Visitor): Promise<Visitor> => (await room.session({ renew: token })).json;
const tooManyFiles = {
  message: "This visitor's token has sent too many files today; try again after Retry-After seconds.",
  code: 'rate_limited',
};

describe('a visitor', () => {
  it('sends at most 256 MB of files a day, announced or in the body, whatever the token and the conversation', async () => {
    const customer = { externalId: crypto.randomUUID() };
    const first = await room.visit(customer);
    for (let count = 0; count < 2; count++) {
      expect((await announce(first.token, Array(5).fill(25 * megabyte))).status).toBe(200);
    }
    const second = await renewed(first);
    expect(second.token).not.toBe(first.token);
    const again = { 'idempotency-key': 'sent-again' };
    for (let count = 0; count < 5; count++) expect((await send(second.token)).status).toBe(200);
    expect((await send(second.token, again)).status).toBe(200);
    const { announced } = await leftovers(room.workspaceId);
    const refused = await send(second.token);
    expect([refused.status, refused.json]).toEqual([429, tooManyFiles]);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(86_400);
    expect((await announce(second.token, [0])).status).toBe(429);
    expect((await leftovers(room.workspaceId)).announced).toEqual(announced);
    // A repetition counts nothing.
    expect((await send(second.token, again)).status).toBe(200);
    await call(`PATCH ${conversations}/${first.conversationId}`, { key: room.key, body: { status: 'resolved' } });
    const third = await room.visit(customer);
    expect(third.conversationId).not.toBe(first.conversationId);
    expect((await send(third.token)).status).toBe(429);
    expect((await send((await room.visit()).token)).status).toBe(200);
  });

  it('uses at most a tenth of the tokens of a day for replies, also with a renewed token', async () => {
    const asked = async (visitor: Visitor) => {
      const { token: key, conversationId, agentId, customerId } = visitor;
      const body = { senderType: 'customer', text: 'Are you open?' };
      await call(`POST ${conversations}/${conversationId}/messages`, { key, body });
      const wanted = { agentId, conversationId, senderId: customerId };
      return eventsOf((await call(streamPath, { key, body: wanted })).text).at(-1);
    };
    const visitor = await room.visit();
    for (let count = 0; count < 2; count++) expect((await asked(visitor)).type).toBe('done');
    const usedUp = { type: 'error', error: 'This conversation has used up its AI replies for today.' };
    expect(await asked(visitor)).toEqual(usedUp);
    expect(await asked(await renewed(visitor))).toEqual(usedUp);
    expect((await asked(await room.visit())).type).toBe('done');
    const day = new Date(Date.now()).toISOString().slice(0, 10);
    const count = async (id?: string) =>
      (
        await testTable()
          .uncached()
          .get(messagingKeys.aiTokens(room.workspaceId, day, id))
      )?.['tokens'];
    expect([await count(visitor.customerId), await count()]).toEqual([36, 54]);
  });
});
