import { client } from '../../../data/client.ts';
import { sendChanges } from '../../../data/many-changes.ts';
import type { Changed } from '../../../history/undo.ts';

const { notifications } = client.manage;

export const readNow = () => ({ readAt: new Date().toISOString() });

/**
 * Marks every unread notification, a hundred at a time.
 * @returns those that it has marked
 * @throws Error if no notification of a page can be marked
 */
export async function markAllRead(): Promise<readonly Changed[]> {
  const marked: Changed[] = [];
  for (;;) {
    const { data } = await notifications.list({ unread: true, limit: 100 });
    if (data.length === 0) return marked;
    const record = readNow();
    const changes = data.map(({ id }) => ({ method: 'PATCH', kind: 'notifications', id, record }) as const);
    const { done, failed } = await sendChanges(changes, client.manage.changes);
    // Otherwise the loop would read the same page forever.
    if (done.length === 0) throw new Error(failed[0]?.message);
    marked.push(...done.map(({ id, etag = '' }) => ({ id, etag })));
  }
}

export const markUnread = ({ id, etag }: Changed) => notifications.update(id, { readAt: null }, { ifMatch: etag });
