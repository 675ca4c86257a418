import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { Stream } from 'openai/streaming';
import { type Event, eventsOf } from '#test/support/chat-room.ts';
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
  const times = '\n%{time_starttransfer} %{time_total}';
  const args = ['-sN', '-w', times, ...headers, '-d', JSON.stringify(body), service.url + path];
  const { stdout } = await promisify(execFile)('curl', args);
  const [first = 0, total = 0] = stdout.slice(stdout.lastIndexOf('\n')).trim().split(' ').map(Number);
  return { events: eventsOf(stdout), first, total };
}

describe('the demo, asked with curl -N', () => {
  it('streams an answer from its menu', async () => {
    const { events, first, total } = await curl(aubergine);
    expect(events.at(-1)).toEqual({ type: 'done', messageId: expect.any(String), text: expect.stringMatching(/SAR/) });
    expect(events.at(-1).text).toMatch(/aubergine/i);
    expect(events.length).toBeGreaterThan(3);
    expect(first / total).toBeLessThan(0.5);
  });

  it('answers in Arabic what is asked in Arabic', async () => {
    const body = { agentId: 'agent_zafaran', conversationId: 'conv_abdullah', lastMessageId: 'msg_07' };
    const { events } = await curl(body);
    expect(events.at(-1).text).toMatch(/مندي/);
  });

  it('says the same to a reader of event streams and to a client of OpenAI', async () => {
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

describe('the page to chat', () => {
  const get = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/_local/${name}`, { headers });
  const workspace = async () => (await get('chat/workspace', { 'x-api-key': key })).json() as Promise<Event>;
  const text = 'كم سعر <b>الكبسة</b>؟';

  it('is a page that runs only what this service sends', async () => {
    const response = await get('chat');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?! src="\/_local\/chat\/page\.js")|\son\w+=|style=/);
    expect((await get('chat/page.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get('chat/page.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('lists the agents and conversations of a key', async () => {
    const { agents, conversations } = await workspace();
    expect(agents.map(({ id }: Event) => id)).toEqual(['agent_saffron', 'agent_zafaran']);
    expect(conversations.find(({ id }: Event) => id === 'conv_huda')).toMatchObject({ customer: 'Huda Al-Zahrani' });
    expect((await get('chat/workspace')).status).toBe(401);
    expect((await get('chat/workspace', { 'x-api-key': 'saffron-site-key-0000000000' })).status).toBe(401);
  });

  it('adds a message of the customer, which can be answered', async () => {
    const response = await post({ conversationId: 'conv_huda_birthday', text }, '/_local/chat/messages');
    const message = (await response.json()) as Event;
    expect(message).toMatchObject({ senderType: 'customer', senderId: 'cus_huda', text });
    const body = { agentId: 'agent_saffron', conversationId: 'conv_huda_birthday', lastMessageId: message.id };
    const { events } = await curl({ ...body, channelId: 'ch_site' });
    expect(events.at(-1)).toMatchObject({ type: 'done', text: expect.stringMatching(/كبسة/) });
    const shown = (await workspace()).conversations.find(({ id }: Event) => id === 'conv_huda_birthday');
    expect(shown.messages.slice(-2).map(({ senderType }: Event) => senderType)).toEqual(['customer', 'agent']);
  });

  it.each([
    ['of another origin', { origin: 'http://evil.example' }, 404],
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 404],
    ['that is no JSON', { 'content-type': 'text/plain' }, 400],
    ['without a key', { 'x-api-key': '' }, 401],
  ])('takes no message %s', async (_, headers, status) => {
    const before = await workspace();
    const response = await post({ conversationId: 'conv_huda', text: 'Hi' }, '/_local/chat/messages', headers);
    expect(response.status).toBe(status);
    expect(await workspace()).toEqual(before);
  });

  it('takes no message that is none', async () => {
    const add = (body: object) => post(body, '/_local/chat/messages');
    expect((await add({ conversationId: 'conv_huda', text: ' ' })).status).toBe(400);
    expect((await add({ conversationId: 'conv_huda', text: 'x'.repeat(10_001) })).status).toBe(400);
    expect((await add({ conversationId: 'nowhere', text: 'Hi' })).status).toBe(404);
  });
});
