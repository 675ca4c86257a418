import { describe, expect, it } from '@jest/globals';
import { MessageLog, type Page, type Shown } from '#test/support/history/talk/message-log.ts';
import { OpenConversationLog } from '#test/support/history/talk/open-conversation-log.ts';
import { ReadMarkLog } from '#test/support/history/talk/read-mark-log.ts';
import { StatusLog } from '#test/support/history/talk/status-log.ts';

const message = (place: number): Shown => ({
  id: `msg_${place}`,
  createdAt: `2026-01-01T00:00:0${place}.000Z`,
  senderType: 'customer',
  text: `text ${place}`,
});
const all = [0, 1, 2, 3].map(message);

/** Four sequential messages: the first from 0 to 1, the second from 10 to 11, and so on. */
function logOf(pages: readonly Partial<Page>[] = [], final = all): MessageLog {
  const log = new MessageLog('conv');
  for (const [place, answer] of all.entries())
    log.sent({ text: answer.text, start: 10 * place, end: 10 * place + 1, answer });
  for (const page of pages) log.saw({ request: 'GET', limit: 2, hasMore: true, start: 32, end: 33, data: [], ...page });
  log.close(final);
  return log;
}
const faults = (log: MessageLog): string[] => [...log.violations()];

describe('the log of messages', () => {
  it('takes what was sent and seen in order', () => {
    const pages = [
      { data: all.slice(2) },
      { data: all.slice(1, 3), start: 12, end: 22 },
      { data: all.slice(0, 2), before: 'msg_2', hasMore: false },
      { data: all.slice(1, 3), after: 'msg_0' },
      { data: all.slice(2), after: 'msg_1', hasMore: false },
      { data: [], start: -3, end: -2, hasMore: false },
    ];
    expect(faults(logOf(pages))).toEqual([]);
  });

  it.each([
    ['that is lost', all.slice(0, 3)],
    ['that is stored twice', [...all, { ...message(4), text: 'text 3' }]],
    ['that nobody has sent', [...all, message(5)]],
    ['that is other than its answer', [...all.slice(0, 3), { ...message(3), senderType: 'member' }]],
    ['before one that was sent earlier', [message(1), message(0), message(2), message(3)]],
  ])('finds a message %s', (_, final) => {
    expect(faults(logOf([], final))).not.toEqual([]);
  });

  it.each<[string, Partial<Page>]>([
    ['that misses the newest message', { data: all.slice(1, 3) }],
    ['that shows a message before it was sent', { data: all.slice(2), start: 2, end: 9 }],
    ['with a hole', { data: [message(1), message(3)] }],
    ['of too few messages', { data: all.slice(3) }],
    ['that hides older ones', { data: all.slice(2), hasMore: false }],
    ['that begins too late', { data: all.slice(2), after: 'msg_0' }],
    ['that hides newer ones', { data: all.slice(1, 3), after: 'msg_0', hasMore: false }],
  ])('finds a page %s', (_, page) => {
    expect(faults(logOf([page]))).not.toEqual([]);
  });
});

describe('the log of read marks', () => {
  const judged = (...moves: { to: string; answer: string; start: number; end: number }[]) => {
    const marks = new ReadMarkLog(logOf());
    for (const move of moves) marks.moved({ reader: 'mem', ...move });
    return (unread: number) => {
      marks.counted({ reader: 'mem', unread, start: 50, end: 51 });
      return [...marks.violations()];
    };
  };

  it('takes marks that move forward, and exact counts', () => {
    expect(judged()(4)).toEqual([]);
    const there = { to: 'msg_2', answer: 'msg_2', start: 40, end: 41 };
    const back = { to: 'msg_1', answer: 'msg_2', start: 42, end: 43 };
    expect(judged(there, back)(1)).toEqual([]);
  });

  it('finds a mark that moved back, and a wrong count', () => {
    const there = { to: 'msg_2', answer: 'msg_2', start: 40, end: 41 };
    expect(judged(there, { to: 'msg_1', answer: 'msg_1', start: 42, end: 43 })(1)).not.toEqual([]);
    expect(judged(there)(2)).not.toEqual([]);
    expect(judged(there)(0)).not.toEqual([]);
  });
});

describe('the log of the status', () => {
  const judged = (value: string, work: (log: StatusLog) => void) => {
    const log = new StatusLog('conv');
    work(log);
    log.saw(value, 10, 11);
    return [...log.violations()];
  };

  it("models that a customer's message opens a resolved conversation, and leaves a pending one", () => {
    const change = (value: string) => (log: StatusLog) => {
      log.changed(value, 1, 2);
      log.customerWrote(3, 4);
    };
    expect(judged('open', change('resolved'))).toEqual([]);
    expect(judged('resolved', change('resolved'))).not.toEqual([]);
    expect(judged('pending', change('pending'))).toEqual([]);
    expect(judged('snoozed', change('pending'))).not.toEqual([]);
  });

  it('takes both values of a change without an answer', () => {
    for (const value of ['open', 'resolved'])
      expect(judged(value, (log) => log.changed('resolved', 1, Number.POSITIVE_INFINITY))).toEqual([]);
  });
});

describe('the log of openings', () => {
  const open = (id: string, start: number, isNew: boolean) => ({ id, isNew, start, end: start + 1 });
  const judged = (work: (log: OpenConversationLog) => void, stored: { id: string; status: string }[]) => {
    const log = new OpenConversationLog('customer');
    work(log);
    return [...log.violations(stored)];
  };
  const stored = [
    { id: 'a', status: 'resolved' },
    { id: 'b', status: 'open' },
  ];

  it('takes a conversation that is opened, found, resolved and followed by another', () => {
    const work = (log: OpenConversationLog) => {
      log.opened(open('a', 1, true));
      log.opened(open('a', 3, false));
      log.resolved({ id: 'a', start: 5, end: 6 });
      log.opened(open('b', 7, true));
    };
    expect(judged(work, stored)).toEqual([]);
  });

  it('finds a second one, one that is found after its end, and one that is lost', () => {
    const twice = (log: OpenConversationLog) => {
      log.opened(open('a', 1, true));
      log.opened(open('b', 3, true));
    };
    expect(judged(twice, stored)).not.toEqual([]);
    const late = (log: OpenConversationLog) => {
      log.opened(open('a', 1, true));
      log.resolved({ id: 'a', start: 3, end: 4 });
      log.opened(open('a', 5, false));
    };
    expect(judged(late, stored.slice(0, 1))).not.toEqual([]);
    expect(judged((log) => log.opened(open('a', 1, true)), [])).not.toEqual([]);
    expect(judged((log) => log.opened(open('b', 1, true)), [...stored, { id: 'c', status: 'resolved' }])).not.toEqual(
      [],
    );
  });
});
