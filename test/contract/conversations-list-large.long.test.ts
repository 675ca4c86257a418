import { expect, it } from '@jest/globals';
import { openWorkspace } from '#test/support/workspace.ts';

// A page reads at most 10,000 conversations.
const lookedAtMax = 10_000;
const timeAt = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const pending = (id: string, minute: number) => ({ id, status: 'pending', createdAt: timeAt(minute) });

it('a walk with a filter finds every conversation one time, even behind more others than one page reads', async () => {
  const room = await openWorkspace('talk', ({ messaging }) => {
    messaging.messages = [];
    messaging.conversations = [
      ...['old_1', 'old_2', 'old_3'].map((id, minute) => pending(id, minute)),
      ...Array.from({ length: lookedAtMax + 5 }, (_, number) => ({
        id: `other_${number}`,
        createdAt: timeAt(10 + number),
      })),
      pending('new', 20_000),
    ];
  });
  for (const [query, limit] of [
    ['status=pending', 20],
    ['status=pending', 2],
    ['status=pending&unread=false', 20],
  ] as const) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, json } = await room.send('GET', `?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      expect(json.data.length).toBeLessThanOrEqual(limit);
      found.push(...json.data.map(({ id }: { id: string }) => id));
      cursor = json.next;
    }
    expect(found).toEqual(['new', 'old_3', 'old_2', 'old_1']);
  }
}, 600_000);
