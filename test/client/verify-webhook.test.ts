import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookHeaders, WebhookRefused } from '#lib/client/verify-webhook.ts';
import type { WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import { requestBody } from '#lib/webhooks/request-body.ts';
import { secretText, signatureHeaders } from '#lib/webhooks/signature.ts';

const secret = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const own = secretText(secret(1));
const now = (): number => Math.floor(Date.now() / 1_000);

const event: WorkspaceEvent = {
  id: 'evt_0mig2xr2h4f1a0b9c8d7',
  type: 'menu_product.updated',
  at: '2026-11-27T07:30:00.000Z',
  kind: 'menu-products',
  recordId: 'prod_جريش',
  changed: ['name.ar', 'priceOptions.0.price'],
  actor: { type: 'key', id: 'key_1', name: 'Editor "1" \u2028' },
  requestId: 'req_1',
};
const record = { id: 'prod_جريش', name: { ar: 'جريش 🍲' }, price: 12.5, updatedAt: event.at };
const body = requestBody(event, 'ws_1', record);
const signed = (given: Partial<Parameters<typeof signatureHeaders>[0]> = {}) =>
  signatureHeaders({ id: event.id, timestamp: now(), body, secrets: [secret(1)], ...given });

describe('the body of a webhook', () => {
  it('says what has changed, with the record', () => {
    expect(JSON.parse(body)).toEqual({
      type: event.type,
      timestamp: event.at,
      data: {
        workspaceId: 'ws_1',
        kind: event.kind,
        recordId: event.recordId,
        changed: event.changed,
        actor: event.actor,
        record,
      },
    });
    expect(JSON.parse(requestBody(event, 'ws_1', null)).data.record).toBeNull();
  });

  it('leaves out a record of more than 200 KB, in bytes', () => {
    const bytes = Buffer.byteLength('{"text":""}');
    const ofBytes = (text: string) => JSON.parse(requestBody(event, 'ws_1', { text })).data;
    const { text } = ofBytes('م'.repeat((200 * 1_024 - bytes - 1) / 2)).record;
    expect(text).toHaveLength(102_394);
    const { record: none, ...data } = ofBytes(`${text}م`);
    expect([none, data.truncated, data.recordId]).toEqual([undefined, true, event.recordId]);
  });
});

describe('verifyWebhook', () => {
  it('returns the event, with its id', async () => {
    const expected = { id: event.id, ...JSON.parse(body) };
    expect(await verifyWebhook(signed(), body, own)).toEqual(expected);
    expect(await verifyWebhook(signed(), new TextEncoder().encode(body), [own])).toEqual(expected);
    expect(await verifyWebhook(new Headers(signed()), Buffer.from(body), own)).toEqual(expected);
  });

  it('reads headers as servers have them', async () => {
    const entries = Object.entries(signed());
    const upper = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));
    const lists = { ':method': 'POST', ...Object.fromEntries(entries.map(([name, value]) => [name, [value]])) };
    for (const headers of [upper, lists])
      expect(await verifyWebhook(headers, body, own)).toMatchObject({ id: event.id });
  });

  it('takes either secret while one follows the other, in both places', async () => {
    const both = signed({ secrets: [secret(2), secret(1)] });
    for (const secrets of [own, secretText(secret(2)), [secretText(secret(3)), own]]) {
      expect(await verifyWebhook(both, body, secrets)).toMatchObject({ id: event.id });
    }
    await expect(verifyWebhook(both, body, [secretText(secret(3))])).rejects.toThrow(WebhookRefused);
  });

  it.each([
    ['the body has a blank more', {}, `${body} `],
    ['a letter differs', {}, body.replace('جريش', 'جريس')],
    ['it has another id', { 'webhook-id': 'evt_2' }, body],
    ['it has another time', { 'webhook-timestamp': String(now() - 1) }, body],
    ['the time is no number', { 'webhook-timestamp': `${now()}.0` }, body],
    ['the time is in hexadecimal', { 'webhook-timestamp': `0x${now().toString(16)}` }, body],
    ['it has no signature', { 'webhook-signature': undefined }, body],
    ['it has no id', { 'webhook-id': '' }, body],
    ['the signature is empty', { 'webhook-signature': 'v1,' }, body],
    ['the signature is no Base64', { 'webhook-signature': 'v1,***' }, body],
    ['the signature has no version', { 'webhook-signature': signed()['webhook-signature'].slice(3) }, body],
    [
      'the signature has another version',
      { 'webhook-signature': `v1a,${signed()['webhook-signature'].slice(3)}` },
      body,
    ],
    ['the signature is a part', { 'webhook-signature': signed()['webhook-signature'].slice(0, 27) }, body],
  ])('refuses a request if %s', async (_, changed, sent) => {
    await expect(verifyWebhook({ ...signed(), ...changed } as WebhookHeaders, sent, own)).rejects.toThrow(
      WebhookRefused,
    );
  });

  it('refuses a signature that is more than five minutes old, or ahead', async () => {
    for (const seconds of [-290, 290]) {
      expect(await verifyWebhook(signed({ timestamp: now() + seconds }), body, own)).toMatchObject({ id: event.id });
    }
    for (const seconds of [-310, 310, -86_400]) {
      const headers = signed({ timestamp: now() + seconds });
      await expect(verifyWebhook(headers, body, own)).rejects.toThrow(WebhookRefused);
    }
  });

  it.each(['', 'whsec_', 'whsec_AAAA', own.slice('whsec_'.length), `whsec_${'*'.repeat(44)}`, `WHSEC_${own.slice(6)}`])(
    'has no secret %p',
    async (none) => {
      await expect(verifyWebhook(signed(), body, none)).rejects.toThrow(TypeError);
      await expect(verifyWebhook(signed(), body, [own, none])).rejects.toThrow(TypeError);
    },
  );

  it('trusts nobody without a secret', async () => {
    await expect(verifyWebhook(signed({ secrets: [] }), body, [])).rejects.toThrow(WebhookRefused);
  });
});

describe('the library of Standard Webhooks', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });

  it('verifies what we sign', () => {
    fc.assert(
      fc.property(texts, keys, fc.string({ unit: 'grapheme-ascii', minLength: 1 }), (text, key, id) => {
        const json = JSON.stringify({ text });
        const headers = signatureHeaders({ id, timestamp: now(), body: json, secrets: [secret(9), key] });
        expect(new Webhook(secretText(key)).verify(json, headers)).toEqual({ text });
      }),
    );
  });

  it('signs what we verify', async () => {
    await fc.assert(
      fc.asyncProperty(texts, keys, async (text, key) => {
        const json = JSON.stringify({ text });
        const timestamp = new Date();
        const headers = {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
          'webhook-signature': new Webhook(secretText(key)).sign('evt_1', timestamp, json),
        };
        expect(await verifyWebhook(headers, json, secretText(key))).toEqual({ id: 'evt_1', text });
      }),
    );
  });
});
