import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

await openOwnTable();
const room = await openWorkspace('visitors');
const addressOf = (conversationId: string) => `GET ${conversations}/${conversationId}/messages`;

/** The cost of a request according to its log line. */
async function costOf(work: () => Promise<unknown>) {
  const lines = (await capturedLines(work)).map((line) => JSON.parse(line));
  const [line] = lines.filter(({ dynamodb }) => dynamodb !== undefined);
  return { line, calls: line.dynamodb.calls, readUnits: line.dynamodb.readUnits };
}

describe('the cost', () => {
  it('the cost of a poll without news is one round trip and three read units, and with a key two', async () => {
    const { token, conversationId } = await room.visit();
    await call(`POST ${conversations}/${conversationId}/messages`, {
      key: token,
      body: { senderType: 'customer', text: 'Hello.' },
    });
    for (const [key, readUnits] of [
      [token, 3],
      [room.keys.reader, 2],
    ] as const) {
      const { headers } = await call(addressOf(conversationId), { key });
      const poll = () => call(addressOf(conversationId), { key, headers: { 'if-none-match': headers['etag'] ?? '' } });
      await poll();
      const cost = await costOf(async () => expect((await poll()).status).toBe(304));
      expect([cost.calls['BatchGetItem'], cost.readUnits]).toEqual([1, readUnits]);
    }
  });

  it('the cost of a refused token is two small reads', async () => {
    const own = await openWorkspace('visitors');
    const { token, conversationId } = await own.visit();
    const ask = () => call(addressOf(conversationId), { key: token });
    expect((await ask()).status).toBe(200);
    const { exportedAt, ...document } = await exportedFromScan(own.workspaceId);
    for (const key of document.apiKeys) if (key.id === 'key_desk') key.revokedAt = '2026-01-01T00:00:00.000Z';
    await load(document);
    // The first call after the revocation still reads early for the visitor; the next one does not.
    expect((await ask()).status).toBe(401);
    const cost = await costOf(async () => expect((await ask()).status).toBe(401));
    expect(cost.readUnits).toBe(2);
    const unknown = await costOf(async () => {
      expect((await call(addressOf(conversationId), { key: `wst_${'0'.repeat(43)}` })).status).toBe(401);
    });
    expect(unknown.readUnits).toBeLessThanOrEqual(1);
  });
});

describe('a log line', () => {
  it('names the key and the conversation, and never the token', async () => {
    const { token, conversationId } = await room.visit();
    const lines = await capturedLines(() => call(addressOf(conversationId), { key: token }));
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ keyId: 'key_desk', conversationId, status: 200 });
    expect(lines.join()).not.toContain(token.slice(4));
    const renewals = await capturedLines(() => room.session({ renew: token }));
    expect(renewals.join()).not.toContain(token.slice(4));
  });
});
