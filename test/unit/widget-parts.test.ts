import { describe, expect, it } from '@jest/globals';
import { Pace } from '#lib/widget/chat/pace.ts';
import { agentAnswers, type Message, Store, Thread } from '#lib/widget/chat/store.ts';
import { newStorage } from '#test/support/widget-service.ts';

describe('the pace of polls', () => {
  it('is 2 s after news, then slower and slower up to 30 s', () => {
    const pace = new Pace();
    const waits = Array.from({ length: 12 }, () => pace.next());
    expect(waits.slice(0, 3)).toEqual([2_000, 3_000, 4_500]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBe(30_000);
    pace.reset();
    expect(pace.next()).toBe(2_000);
  });

  it('is never faster than the service requests', () => {
    expect(new Pace().next(9_000)).toBe(9_000);
    expect(new Pace().next(1_000)).toBe(2_000);
  });
});

const message = (id: string, senderType: Message['senderType'], more: Partial<Message> = {}): Message => ({
  id,
  senderType,
  text: id,
  attachments: [],
  createdAt: '2026-11-22T10:00:00.000Z',
  ...more,
});

describe('a thread', () => {
  it('has each message one time and in its order, wherever it comes from', () => {
    const thread = new Thread();
    const early = message('m2', 'customer', { createdAt: '2026-11-22T09:00:00.000Z' });
    expect(thread.add([message('m3', 'customer'), message('m1', 'agent')])).toHaveLength(2);
    expect(thread.add([early, message('m1', 'agent', { text: 'as stored' })])).toEqual([early]);
    expect(thread.messages.map(({ text }) => text)).toEqual(['m2', 'as stored', 'm3']);
  });

  it('finds the message that still needs a reply', () => {
    const thread = new Thread();
    expect(thread.unanswered()).toBeUndefined();
    thread.add([message('m1', 'customer'), message('m2', 'customer')]);
    expect(thread.unanswered()?.id).toBe('m2');
    thread.add([message('m3', 'agent', { inReplyTo: 'm1' })]);
    expect(thread.unanswered()?.id).toBe('m2');
    thread.add([message('m4', 'agent', { inReplyTo: 'm2' })]);
    expect(thread.unanswered()).toBeUndefined();
    thread.add([message('m5', 'customer'), message('m6', 'member')]);
    expect(thread.unanswered()).toBeUndefined();
  });

  it('counts the newer messages of the other side', () => {
    const thread = new Thread();
    thread.add([message('m1', 'agent'), message('m2', 'customer'), message('m3', 'member'), message('m4', 'agent')]);
    expect([undefined, 'm1', 'm3', 'm4', 'unknown'].map((id) => thread.unreadAfter(id))).toEqual([3, 2, 1, 0, 3]);
  });

  it.each([
    ['open', null, true],
    ['open', 'agent', true],
    ['open', 'member', false],
    ['pending', 'agent', true],
    ['pending', null, false],
    ['pending', 'member', false],
    ['resolved', null, false],
    ['snoozed', 'agent', false],
  ] as const)('%s and assigned to %s: an agent answers, %s', (status, assigneeType, answers) => {
    expect(agentAnswers({ status, assigneeType })).toBe(answers);
  });
});

describe('the stored data in the browser', () => {
  it('is shared by all tabs, each of which changes its own part', () => {
    const storage = newStorage();
    const first = new Store(storage, 'https://a.example/s');
    const second = new Store(storage, 'https://a.example/s');
    first.change((kept) => ({ ...kept, draft: 'a' }));
    second.change((kept) => ({ ...kept, seen: 'b' }));
    expect(first.read()).toEqual({ draft: 'a', seen: 'b' });
    expect(new Store(storage, 'https://a.example/other').read()).toEqual({});
  });

  it.each(['{', 'null', '1', ''])('counts as empty when it is %j', (text) => {
    const storage = newStorage();
    const store = new Store(storage, 'x');
    storage.setItem(store.key, text);
    expect(store.read()).toEqual({});
  });

  it('is removed when the site removes it', () => {
    const storage = newStorage();
    const store = new Store(storage, 'x');
    store.change((kept) => ({ ...kept, draft: 'a' }));
    storage.setItem(store.key, '');
    expect(store.read()).toEqual({});
    store.change((kept) => ({ ...kept, seen: 'b' }));
    expect(store.read()).toEqual({ seen: 'b' });
  });

  it('stays in the page where the browser forbids to keep it', () => {
    const refuse = () => {
      throw new Error('forbidden');
    };
    for (const storage of [undefined, { getItem: refuse, setItem: refuse }]) {
      const store = new Store(storage, 'x');
      store.change((kept) => ({ ...kept, draft: 'a' }));
      expect(store.read()).toEqual({ draft: 'a' });
    }
  });
});
