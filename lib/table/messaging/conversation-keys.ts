import type { CustomerChannel } from '#lib/domain/messaging/conversation.ts';
import type { Key } from '../schema.ts';

/** The owner of read marks. */
export interface Reader {
  readonly type: 'member' | 'customer';
  readonly id: string;
}

const openPartition = (workspaceId: string, { channelId, customerId }: CustomerChannel): string =>
  `W#${workspaceId}#open-conversations#${channelId}#${customerId}`;

/** Not `W`, so that no pattern of a role for these partitions also names a CMS database. */
const filesPartition = (workspaceId: string, conversationId: string): string =>
  `FILES#${workspaceId}#${conversationId}`;

/** Part of the keys of the table: the access patterns M6 to M10 of keys.ts. */
export const conversationKeys = {
  /** M6 */
  rows: (workspaceId: string) => `W#${workspaceId}#conversations`,
  row: (workspaceId: string, activeAt: string, id: string): Key => ({
    pk: `W#${workspaceId}#conversations`,
    sk: `${activeAt}#${id}`,
  }),

  /** M7 */
  allOpen: openPartition,
  open: (workspaceId: string, on: CustomerChannel, createdAt: string, id: string): Key => ({
    pk: openPartition(workspaceId, on),
    sk: `${createdAt}#${id}`,
  }),

  /** M8 */
  openChange: (workspaceId: string, { channelId, customerId }: CustomerChannel): Key => ({
    pk: `W#${workspaceId}#open-conversation-changes`,
    sk: `${channelId}#${customerId}`,
  }),

  /** M9 */
  readMark: (workspaceId: string, { type, id }: Reader, conversationId: string): Key => ({
    pk: `W#${workspaceId}#read-marks#${type}#${id}`,
    sk: conversationId,
  }),

  /** M10 */
  uploadedFile: (workspaceId: string, conversationId: string, attachmentId: string): Key => ({
    pk: filesPartition(workspaceId, conversationId),
    sk: `uploaded#${attachmentId}`,
  }),
  namedFile: (workspaceId: string, conversationId: string, attachmentId: string): Key => ({
    pk: filesPartition(workspaceId, conversationId),
    sk: `named#${attachmentId}`,
  }),
  /** The range of all named files of a conversation. */
  namedFiles: (workspaceId: string, conversationId: string) => ({
    pk: filesPartition(workspaceId, conversationId),
    from: 'named#',
    to: 'named$',
  }),
} as const;
