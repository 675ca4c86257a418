import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Chat } from '#lib/widget/chat/chat.ts';
import { Service } from '#lib/widget/chat/service.ts';
import { SessionKeeper } from '#lib/widget/chat/session-keeper.ts';
import { type Message, Store } from '#lib/widget/chat/store.ts';
import type { View } from '#lib/widget/chat/view.ts';
import { newStorage, type Respond, sessionNamed, startWidgetService } from '#test/support/widget-service.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

const posted = (id: string, text: string): Message => ({
  id,
  text,
  senderType: 'customer',
  attachments: [],
  createdAt: '2026-11-22T10:00:00.000Z',
});
const answered = (id: string, inReplyTo: string): Message => ({
  ...posted(id, 'Yes.'),
  senderType: 'agent',
  inReplyTo,
});
const page = (data: readonly Message[] = [], more: object = {}) =>
  [200, { data, hasMore: false, status: 'open', assigneeType: null, ...more }] as const;
const done = (messageId: string) => `data: ${JSON.stringify({ type: 'done', messageId, text: 'Yes.' })}\n\n`;
const failed = (error: string) => `data: ${JSON.stringify({ type: 'error', error })}\n\n`;
const byTeam = 'This conversation is handled by a member of the team.';

/** A page with the chat, and its failed requests. Other requests get the answers of an empty conversation. */
async function openChat(respond: Respond, storage = newStorage()) {
  const { url, heard, stop } = await startWidgetService(
    (said, response) =>
      respond(said, response) ??
      (response.headersSent || response.destroyed ? undefined : said.call.startsWith('GET') ? page() : [403]),
  );
  const store = new Store(storage, 'x');
  store.change((kept) => ({ session: sessionNamed('wst_1'), ...kept }));
  const keeper = new SessionKeeper(store, `${url}/chat-session`, (work) => work());
  const refused: string[] = [];
  const arrived: string[] = [];
  const events = {
    changed: () => undefined,
    arrived: (messages: readonly Message[]) => void arrived.push(...messages.map(({ id }) => id)),
    refused: ({ text }: { readonly text: string }) => void refused.push(text),
  };
  let isHidden = false;
  const chat = new Chat({ keeper, store, service: new Service(url, keeper), events, isHidden: () => isHidden });
  const hide = () => {
    isHidden = true;
    chat.rest();
  };
  stops.push(async () => {
    hide();
    await stop();
  });
  chat.open();
  const until = async (condition: (view: View) => boolean) => {
    for (const end = Date.now() + 60_000; !condition(chat.view); await pause(5)) {
      if (Date.now() > end) throw new Error(`This did not happen: ${condition}`);
    }
    return chat.view;
  };
  const calls = (call: string) => heard.filter((said) => said.call.startsWith(call));
  return { chat, store, heard, calls, until, refused, arrived, hide };
}

const messagesOf = 'POST conversations/conv_1/messages';

describe('a message of the visitor', () => {
  it('is sent again under its key until it has arrived, and shown as on its way until then', async () => {
    const answers: ([number, unknown?] | undefined)[] = [[503], [429], [201, posted('m1', 'Hello')]];
    const { chat, calls, until } = await openChat(({ call }, response) => {
      if (call === 'POST ai-stream') response.end(done('m2'));
      return call === messagesOf ? answers.shift() : undefined;
    });
    await until(({ condition }) => condition === 'ready');
    chat.send('Hello', []);
    expect((await until(({ condition }) => condition === 'offline')).pending).toMatchObject([{ text: 'Hello' }]);
    chat.wake();
    await until(({ condition }) => condition === 'busy');
    chat.wake();
    const view = await until(({ messages }) => messages.length === 2);
    expect(view.pending).toEqual([]);
    const keys = calls(messagesOf).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(calls(messagesOf)[0]?.body).toEqual({ senderType: 'customer', text: 'Hello', attachments: [] });
  });

  it('outlives the page', async () => {
    const storage = newStorage();
    let status = 503;
    const first = await openChat(({ call }) => (call === messagesOf ? [status] : undefined), storage);
    first.chat.send('Hello', []);
    await first.until(({ condition }) => condition === 'offline');
    const second = await openChat(
      ({ call }) => (call === messagesOf ? [201, posted('m1', 'Hello')] : undefined),
      storage,
    );
    await second.until(({ messages }) => messages.length === 1);
    const [before] = first.calls(messagesOf);
    expect(second.calls(messagesOf)[0]?.headers['idempotency-key']).toBe(before?.headers['idempotency-key']);
    expect(second.store.read().pending).toEqual([]);
    status = 400;
    first.chat.wake();
    await first.until(({ pending }) => pending.length === 0);
  });

  it('becomes the draft again when a reload has lost its file, or its key is too old', async () => {
    const storage = newStorage();
    const file = { key: 'f', name: 'a.txt', type: 'text/plain', size: 1 };
    const messages = [
      { key: 'k1', text: 'With a file', files: [file], at: Date.now() },
      { key: 'k2', text: 'Of yesterday', files: [], at: Date.now() - 24 * 3_600_000 },
      { key: 'k3', text: 'With a stored file', files: [{ ...file, id: 'att_1' }], at: Date.now() },
    ];
    new Store(storage, 'x').change(() => ({ session: sessionNamed('wst_1'), pending: messages, draft: 'And more' }));
    const { calls, store, until } = await openChat(
      ({ call }) => (call === messagesOf ? [201, posted('m1', 'With a stored file')] : undefined),
      storage,
    );
    expect(store.read().draft).toBe('With a file\nOf yesterday\nAnd more');
    await until(({ pending, messages }) => pending.length === 0 && messages.length === 1);
    expect(calls(messagesOf).map(({ headers, body }) => [headers['idempotency-key'], body.attachments])).toEqual([
      ['k3', ['att_1']],
    ]);
  });

  it('is given back when the service does not take it', async () => {
    const { chat, until, refused } = await openChat(({ call }) => (call === messagesOf ? [400] : undefined));
    chat.send('Hello', []);
    await until(({ pending }) => refused.length > 0 && pending.length === 0);
    expect(refused).toEqual(['Hello']);
  });
});

describe('the reply of an agent', () => {
  it('is requested again after its stream breaks, and shown one time', async () => {
    let count = 0;
    let breakOff = () => {};
    const { chat, calls, until, arrived } = await openChat(({ call }, response) => {
      if (call === messagesOf) return [201, posted('m1', 'Hello')];
      if (call !== 'POST ai-stream') return undefined;
      count += 1;
      response.write('data: {"type":"delta","text":"Ye"}\n\n');
      if (count === 1) breakOff = () => void response.destroy();
      else response.end(done('m2'));
      return undefined;
    });
    chat.send('Hello', []);
    await until(({ growing }) => growing?.text === 'Ye');
    breakOff();
    expect((await until(({ growing }) => growing?.isBroken === true)).growing?.text).toBe('Ye');
    chat.wake();
    const view = await until(({ messages }) => messages.length === 2);
    expect(view.growing).toBeUndefined();
    expect(arrived).toEqual(['m2']);
    const body = { agentId: 'agent_1', conversationId: 'conv_1', lastMessageId: 'm1' };
    expect(calls('POST ai-stream').map((said) => said.body)).toEqual([body, body]);
  });

  it("is requested after a reload if the visitor's newest message has none", async () => {
    const { until } = await openChat(({ call }, response) => {
      if (call !== 'POST ai-stream')
        return call.startsWith('GET') && !call.includes('after') ? page([posted('m1', 'Hi')]) : undefined;
      response.end(done('m2'));
      return undefined;
    });
    expect((await until(({ messages }) => messages.length === 2)).messages.map(({ id }) => id)).toEqual(['m1', 'm2']);
  });

  it('is not requested while the team has the conversation, but after the agent has it back', async () => {
    let assigneeType: string | null = 'member';
    const { chat, calls, until } = await openChat(({ call }, response) => {
      if (call.startsWith('GET')) return page(call.includes('after') ? [] : [posted('m1', 'Hi')], { assigneeType });
      if (call === 'POST ai-stream') response.end(done('m2'));
      return undefined;
    });
    expect((await until(({ messages }) => messages.length === 1)).isWithTeam).toBe(true);
    await pause(50);
    expect(calls('POST ai-stream')).toEqual([]);
    assigneeType = null;
    chat.wake();
    expect((await until(({ messages }) => messages.length === 2)).isWithTeam).toBe(false);
  });

  it('ends where a member takes over in its middle', async () => {
    const { chat, until } = await openChat(({ call }, response) => {
      if (call === messagesOf) return [201, posted('m1', 'Hello')];
      if (call === 'POST ai-stream') response.end(`data: {"type":"delta","text":"Ye"}\n\n${failed(byTeam)}`);
      return undefined;
    });
    chat.send('Hello', []);
    const view = await until(({ isWithTeam, messages }) => isWithTeam === true && messages.length === 1);
    expect([view.growing, view.failedReply]).toEqual([undefined, undefined]);
  });

  it('is requested again after a failure only by the visitor', async () => {
    const { chat, calls, until } = await openChat(({ call }, response) => {
      if (call === messagesOf) return [201, posted('m1', 'Hello')];
      if (call === 'POST ai-stream') response.end(failed('The AI model is not available.'));
      return undefined;
    });
    chat.send('Hello', []);
    await until(({ failedReply }) => failedReply === 'm1');
    chat.wake();
    await pause(50);
    expect(calls('POST ai-stream')).toHaveLength(1);
    chat.retryReply();
    await until(() => calls('POST ai-stream').length === 2);
  });
});

describe('polls', () => {
  it('continue from the newest message of a poll with its tag, and pause while the page is hidden', async () => {
    const { chat, calls, until, hide } = await openChat(({ call, headers }, response) => {
      if (!call.startsWith('GET')) return undefined;
      response.setHeader('etag', '"tag"');
      if (headers['if-none-match'] === '"tag"') return [304];
      return page(call.includes('after') ? [] : [posted('m1', 'Hi'), answered('m2', 'm1')]);
    });
    await until(({ messages }) => messages.length === 2);
    for (let times = 2; times <= 3; times += 1) {
      await pause(20);
      chat.wake();
      await until(() => calls('GET').length === times);
    }
    const asked = calls('GET').map(({ call, headers }) => [call.split('?')[1], headers['if-none-match']]);
    expect(asked).toEqual([
      ['limit=30', undefined],
      ['after=m2&limit=100', undefined],
      ['after=m2&limit=100', '"tag"'],
    ]);
    hide();
    chat.wake();
    await pause(50);
    expect(calls('GET')).toHaveLength(3);
  });

  it('bring a message that is older than the answer to an own one', async () => {
    const { chat, until } = await openChat(({ call }) => {
      if (call === messagesOf) return [201, posted('m3', 'Hello')];
      if (!call.includes('after=m1'))
        return call.startsWith('GET') ? page([posted('m1', 'Hi')], { assigneeType: 'member' }) : undefined;
      const member = { ...posted('m2', 'I am here.'), senderType: 'member' as const };
      return page([member, posted('m3', 'Hello')], { assigneeType: 'member' });
    });
    await until(({ messages }) => messages.length === 1);
    chat.send('Hello', []);
    const view = await until(({ messages }) => messages.length === 3);
    expect(view.messages.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
  });

  it('begin another conversation when the session has ended for good', async () => {
    const { chat, until } = await openChat(({ call, headers, body }) => {
      if (call === 'POST /chat-session') return body.renew ? [404] : [201, sessionNamed('wst_2', 'conv_2')];
      if (headers.authorization === 'Bearer wst_2') return page([answered('n1', 'x')]);
      return chatOf(call) ? page([answered('m1', 'x')]) : [401];
    });
    let isOld = true;
    function chatOf(call: string): boolean {
      return isOld && call.startsWith('GET');
    }
    await until(({ messages }) => messages[0]?.id === 'm1');
    isOld = false;
    await pause(20);
    chat.wake();
    expect((await until(({ messages }) => messages[0]?.id === 'n1')).messages).toHaveLength(1);
  });

  it('mark the messages that the visitor has seen, and count later ones', async () => {
    const { calls, until, store } = await openChat(({ call }) => {
      if (call.endsWith('/read')) return [200, {}];
      return call.startsWith('GET') && !call.includes('after') ? page([answered('m1', 'x')]) : undefined;
    });
    await until(() => calls('POST conversations/conv_1/read').length === 1);
    expect(calls('POST conversations/conv_1/read')[0]?.body).toEqual({ messageId: 'm1' });
    expect(store.read().seen).toBe('m1');
    expect((await until(({ unread }) => unread === 0)).unread).toBe(0);
  });
});
