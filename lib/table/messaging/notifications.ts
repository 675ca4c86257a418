import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { editedNow } from '../edited-at.ts';
import { keys } from '../keys.ts';
import type { TransactItem } from '../table.ts';

/** Stores a new notification, in the transaction of its cause. */
export const notificationWrite = ({ workspaceId }: WorkspaceScope, notification: Notification): TransactItem => ({
  Put: {
    Item: {
      ...keys.record(workspaceId, 'notification', notification.id),
      record: JSON.stringify(notification),
      ...editedNow(),
    },
  },
});
