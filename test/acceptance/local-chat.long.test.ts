import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Stream } from 'openai/streaming';
import { type Event, eventsOf } from '#test/support/presets/chat.ts';
import { LocalService } from '#test/support/processes.ts';

const service = await LocalService.start();
afterAll(() => service.stop());

const key = 'saffron-desk-key-0000000000';
const path = '/api/v1/connect/ai-stream';
const aubergine = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_10' };
const post = (body: object, to = path, headers: Record<string, string> = {}) =>
  fetch(service.url + to, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function curl(body: object) {
  const headers = ['-H', `Authorization: Bearer ${key}`, '-H', 'content-type: application/json'];
  const args = ['-sN', ...headers, '-d', JSON.stringify(body), service.url + path];
  return eventsOf((await promisify(execFile)('curl', args)).stdout);
}

describe('a reply of the demo with curl -N', () => {
  it('streams an answer from its menu', async () => {
    const events = await curl(aubergine);
    expect(events.at(-1)).toEqual({ type: 'done', messageId: expect.any(String), text: expect.stringMatching(/SAR/) });
    expect(events.at(-1).text).toMatch(/aubergine/i);
    expect(events.slice(0, -1).map(({ type }) => type)).toContain('delta');
  });

  it('answers an Arabic question in Arabic', async () => {
    const body = { agentId: 'agent_zafaran', conversationId: 'conv_abdullah', lastMessageId: 'msg_07' };
    const events = await curl(body);
    expect(events.at(-1).text).toMatch(/مندي/);
  });

  it('sends the same reply to an event-stream reader and to an OpenAI client', async () => {
    const response = await post(aubergine);
    const events: Event[] = [];
    const parsed = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of parsed ?? []) events.push(JSON.parse(data));
    expect(events.map(({ type }) => type)).toEqual(['delta', 'done']);
    const decoded: Event[] = [];
    const stream = Stream.fromSSEResponse<Event>(await post(aubergine), new AbortController());
    for await (const event of stream) decoded.push(event);
    expect(decoded).toEqual(events);
  });
});

describe("the demo's website", () => {
  const page = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/_local/${name}`, { headers });
  const session = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/_local/website/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it.each([
    ['website', 'en', 'ltr', 'From the rice pot'],
    ['website/en', 'en', 'ltr', 'From the rice pot'],
    ['website/ar', 'ar', 'rtl', 'أطباق الأرز'],
  ])('shows the menu and has the chat on %s', async (name, language, direction, category) => {
    const response = await page(name);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).toContain(`<html lang="${language}" dir="${direction}">`);
    expect(html).toContain(category);
    const attributes = `data-session="/_local/website/session" data-language="${language}"`;
    expect(html).toContain(`<script src="${service.url}/widget.js" ${attributes} defer></script>`);
  });

  it('loads only the resources of the widget and its own style sheet, and runs', async () => {
    const response = await page('website');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${service.url};`);
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).not.toMatch(/<script(?! src=)|\son\w+=|style=|<style/);
    expect((await page('website/page.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('keeps its keys to itself', async () => {
    expect(await (await page('website')).text()).not.toMatch(/saffron-\w+-key/);
  });

  it('makes and renews a session, with which a visitor writes', async () => {
    const response = await session({});
    expect(response.status).toBe(201);
    const made = (await response.json()) as Event;
    expect(made).toMatchObject({ token: expect.stringMatching(/^wst_/), agentId: 'agent_saffron' });
    const at = `${service.url}/api/v1/connect/conversations/${made.conversationId}/messages`;
    const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ senderType: 'customer', text: 'Are you open?' });
    expect((await fetch(at, { method: 'POST', headers, body })).status).toBe(201);
    const renewed = await session({ renew: made.token });
    expect(renewed.status).toBe(201);
    expect(await renewed.json()).toMatchObject({ conversationId: made.conversationId });
    expect((await session({ renew: `wst_${'a'.repeat(43)}` })).status).toBe(404);
  });

  it.each([
    ['for a page of another origin', {}, { origin: 'http://evil.example' }, 404],
    ['for a page of another site', {}, { 'sec-fetch-site': 'cross-site' }, 404],
    ['that is not asked for as JSON', {}, { 'content-type': 'text/plain' }, 400],
    ['for what is no JSON', '{', {}, 400],
    ['for another kind of token', { renew: 1 }, {}, 400],
    ['for too much', { renew: 'x'.repeat(10_001) }, {}, 400],
  ])('makes no session %s', async (_, body, headers, status) => {
    expect((await session(body, headers as Record<string, string>)).status).toBe(status);
  });
});
