import { describe, expect, it } from '@jest/globals';
import type { Message, MessagePage } from '#lib/client/types.ts';
import { assigneeOfKey, changeTo, factsOf, keyOfAssignee } from '#lib/console/app/areas/inbox/conversation-facts.ts';
import { conversationQuery } from '#lib/console/app/areas/inbox/conversation-query.ts';
import { assetAddress, isPicture, pictureIn, portionsOf, sizeText } from '#lib/console/app/areas/inbox/files.ts';
import { agentFor, handBack, isWithTeam } from '#lib/console/app/areas/inbox/hand-over.ts';
import {
  canBeSent,
  emptyDraft,
  readDraft,
  withAttempt,
  writtenDraft,
} from '#lib/console/app/areas/inbox/reply-draft.ts';
import { awaitsReply, threadOf, uniqueById, withNewer, withOlder } from '#lib/console/app/areas/inbox/thread.ts';
import { isWithTeam as isWithTeamForService } from '#lib/domain/messaging/conversation.ts';
import { gif, jpeg, png, svg, webp } from '#test/support/image-files.ts';

const message = (id: string, senderType: Message['senderType'] = 'customer') => ({ id, senderType }) as Message;
const page = (ids: readonly string[], hasMore = false, status: MessagePage['status'] = 'open'): MessagePage => ({
  data: ids.map((id) => message(id)),
  hasMore,
  status,
  assigneeType: null,
});
const idsOf = ({ messages }: { readonly messages: readonly { readonly id: string }[] }) => messages.map(({ id }) => id);

describe('a thread', () => {
  const thread = threadOf(page(['3', '4'], true));

  it('grows at both ends, and has each message once', () => {
    const grown = withNewer(withOlder(thread, page(['1', '2', '3'])), page(['4', '5']));
    expect(idsOf(grown)).toEqual(['1', '2', '3', '4', '5']);
    expect(grown.hasOlder).toBe(false);
  });

  it('takes its state from newer pages alone', () => {
    expect(withNewer(thread, page([], false, 'resolved'))).toMatchObject({ status: 'resolved', hasOlder: true });
    expect(withOlder(thread, page(['1'], true, 'resolved'))).toMatchObject({ status: 'open', hasOlder: true });
  });

  it('awaits a reply while the customer has the last word', () => {
    expect(awaitsReply(thread)?.id).toBe('4');
    expect(awaitsReply({ ...thread, messages: [message('1'), message('2', 'member')] })).toBeUndefined();
    expect(awaitsReply({ ...thread, messages: [] })).toBeUndefined();
  });

  it('is in a list once, where it is first', () => {
    const rows = [
      { id: 'a', n: 1 },
      { id: 'b', n: 2 },
      { id: 'a', n: 3 },
    ];
    expect(uniqueById(rows)).toEqual([
      { id: 'a', n: 1 },
      { id: 'b', n: 2 },
    ]);
  });
});

describe('the filters of the inbox', () => {
  it.each([
    ['', {}],
    ['status=open&unread=true', { status: 'open', unread: true }],
    ['status=lost&unread=false', {}],
    ['assignee=me', { assigneeId: 'mem_own' }],
    ['assignee=none', { assigneeType: 'none' }],
    ['assignee=agent', { assigneeType: 'agent' }],
    ['assignee=mem_other', { assigneeId: 'mem_other' }],
  ])('the filters of the inbox of %s ask for %j', (text, query) => {
    const asked = conversationQuery(new URLSearchParams(text), 'mem_own');
    expect(Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))).toEqual(query);
  });
});

describe('the side that answers', () => {
  const agents = [
    { id: 'off', enabled: false, language: 'en' },
    { id: 'en', enabled: true, language: 'en' },
    { id: 'ar', enabled: true, language: 'ar' },
  ];
  const channels = [
    { id: 'site', agentId: 'ar' },
    { id: 'old', agentId: 'off' },
  ];
  const talk = { assignee: null, channelId: null, language: null };

  it.each([
    [{ ...talk, assignee: { type: 'agent', id: 'ar' } as const }, 'ar'],
    [{ ...talk, assignee: { type: 'agent', id: 'off' } as const, channelId: 'site' }, 'ar'],
    [{ ...talk, assignee: { type: 'member', id: 'en' } as const, channelId: 'site' }, 'ar'],
    [{ ...talk, channelId: 'old', language: 'ar' }, 'ar'],
    [talk, 'en'],
  ])('the side that answers in %j is %s', (conversation, id) => {
    expect(agentFor(conversation, agents, channels)?.id).toBe(id);
  });

  it('is undefined without an enabled agent', () => {
    expect(agentFor(talk, agents.slice(0, 1), channels)).toBeUndefined();
  });

  it('is judged as the service judges it', () => {
    for (const status of ['open', 'pending', 'snoozed', 'resolved'] as const)
      for (const assignee of [null, { type: 'agent', id: 'a' }, { type: 'member', id: 'm' }] as const)
        expect(isWithTeam({ status, assignee })).toBe(isWithTeamForService({ status, assignee }));
  });

  it('is the agent after handing back, in any status', () => {
    for (const status of ['open', 'pending', 'snoozed', 'resolved'] as const)
      expect(isWithTeam({ status, ...handBack(status, 'a') })).toBe(false);
    expect(handBack('snoozed', 'a')).toEqual({ assignee: { type: 'agent', id: 'a' } });
  });
});

describe('a reply that is being written', () => {
  const draft = { ...emptyDraft, text: 'Hello', files: [{ id: 'f', name: 'a.txt', type: 'text/plain' }] };
  const keys = () => {
    const names = ['key-1', 'key-2', 'key-3'];
    return () => names.shift() ?? '';
  };

  it('comes back as it was kept, and nothing is kept of an empty one', () => {
    expect(readDraft(writtenDraft(draft))).toEqual(draft);
    expect(writtenDraft({ ...emptyDraft, attempt: { content: 'x', key: 'k' } })).toBe('');
    for (const kept of ['', 'null', '[]', '{"text":1}', '{', '{"text":"a","files":{}}'])
      expect(readDraft(kept)).toEqual(emptyDraft);
  });

  it('is sent again under the same key, even after a reload', () => {
    const next = keys();
    const first = withAttempt(draft, next);
    expect(withAttempt(readDraft(writtenDraft(first)), next).attempt.key).toBe(first.attempt.key);
  });

  it('is sent under another key once its text or its files are others', () => {
    const next = keys();
    const first = withAttempt(draft, next);
    expect(withAttempt({ ...first, text: 'Hello!' }, next).attempt.key).not.toBe(first.attempt.key);
    expect(withAttempt({ ...first, files: [] }, next).attempt.key).not.toBe(first.attempt.key);
  });

  it.each([
    [emptyDraft, false],
    [{ ...emptyDraft, text: ' \n' }, false],
    [{ ...draft, text: '' }, true],
    [{ ...emptyDraft, text: '😀'.repeat(20_000) }, true],
    [{ ...emptyDraft, text: 'a'.repeat(20_001) }, false],
    [
      { ...emptyDraft, files: Array.from({ length: 11 }, (_, index) => ({ id: `${index}`, name: '', type: '' })) },
      false,
    ],
  ])('can be sent or not (case %#)', (reply, isReady) => {
    expect(canBeSent(reply)).toBe(isReady);
  });
});

describe('files', () => {
  it('are on the own origin, each part of the key encoded', () => {
    expect(assetAddress('ws/a b?/ü.png')).toBe('/api/v1/connect/assets/ws/a%20b%3F/%C3%BC.png');
  });

  it('are pictures only when a browser runs nothing of them', () => {
    expect(['image/png', 'IMAGE/JPEG; q=1', 'image/gif', 'image/webp'].map(isPicture)).toEqual(Array(4).fill(true));
    expect(['image/svg+xml', 'image/avif', 'text/html', ''].map(isPicture)).toEqual(Array(4).fill(false));
  });

  it('are pictures only up to 25 million pixels, whatever their type says', () => {
    const shown = (bytes: Buffer) => pictureIn(new Uint8Array(bytes))?.type;
    expect([png(5_000, 5_000), jpeg(), gif(), webp()].map(shown)).toEqual([
      'image/png',
      'image/jpeg',
      'image/gif',
      'image/webp',
    ]);
    expect([png(23_000, 23_000), gif(1_000, 1_000, 26), svg, Buffer.from('<script>')].map(shown)).toEqual(Array(4));
  });

  it('have sizes in words', () => {
    expect([0, 999, 1_500, 25_000_000].map((bytes) => sizeText(bytes, 'en-US'))).toEqual([
      '0 byte',
      '999 byte',
      '1.5 kB',
      '25 MB',
    ]);
  });

  it('go up five at a time', () => {
    expect(portionsOf([1, 2, 3, 4, 5, 6])).toEqual([[1, 2, 3, 4, 5], [6]]);
    expect(portionsOf([])).toEqual([]);
  });
});

describe('what can be changed of a conversation', () => {
  const stored = { status: 'open', assignee: { type: 'member', id: 'mem_a/b' }, language: null } as const;

  it('is a text each, and the texts that are chosen become the change', () => {
    const facts = factsOf(stored);
    expect(facts).toEqual({ status: 'open', assignee: 'member/mem_a/b', language: '' });
    expect(changeTo(facts, stored)).toEqual({});
    expect(changeTo({ ...facts, assignee: '', language: 'ar' }, stored)).toEqual({ assignee: null, language: 'ar' });
    expect(changeTo(factsOf(stored), { ...stored, language: 'en', status: 'resolved' })).toEqual({
      status: 'open',
      language: null,
    });
  });

  it.each([null, { type: 'agent', id: 'agent_1' }, { type: 'member', id: 'mem_a/b' }] as const)(
    'an assignee is had again from its text: %j',
    (assignee) => expect(assigneeOfKey(keyOfAssignee(assignee))).toEqual(assignee),
  );
});
