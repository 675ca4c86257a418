import { client } from '../../../data/client.ts';

const { notifications } = client.manage;

export const markRead = (id: string, isRead: boolean) =>
  notifications.update(id, { readAt: isRead ? new Date().toISOString() : null });

/** Marks every unread notification, a hundred at a time. @throws Error if no notification of a page can be marked */
export async function markAllRead(): Promise<void> {
  for (;;) {
    const { data } = await notifications.list({ unread: true, limit: 100 });
    if (data.length === 0) return;
    const record = { readAt: new Date().toISOString() };
    const changes = data.map(({ id }) => ({ method: 'PATCH', kind: 'notifications', id, record }) as const);
    const outcomes = await client.manage.changes(changes);
    // Otherwise the loop would read the same page forever.
    if (outcomes.every(({ error }) => error)) throw new Error(outcomes[0]?.error?.message);
  }
}
