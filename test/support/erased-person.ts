import { gunzipSync } from 'node:zlib';
import type { ScheduledEvent } from 'aws-lambda';
import { handler as sweepFiles } from '#functions/attachments-sweep/handler.ts';
import { handler as runRemovals } from '#functions/records-expire/handler.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import { call } from './call.ts';
import { advanceUntilDue, dueItems } from './due-items.ts';
import { formBody } from './multipart.ts';
import { allItems } from './own-table.ts';
import { leftovers } from './stored-files.ts';
import { openWorkspace } from './workspace.ts';

/** Is in every text of the person, and in no other. */
export const trace = 'zubaydah';
const email = `${trace}@Qamar.example`;
const shared = `${trace}-shared`;

/** A workspace with two people. Each has data of every kind that erasing removes. */
export async function openRoom() {
  const room = await openWorkspace('visitors', (document) => {
    const { messaging, workspace } = document;
    const key = (id: string, permissions: readonly string[]) =>
      document.apiKeys.push({ id: `key_${id}`, name: id, secret: `${id}-${workspace.id}`, permissions });
    key('admin', Permission.options);
    key('manager', ['messaging:customer:read', 'messaging:customer:manage']);
    messaging.customers.push(
      { id: 'cus_z', externalId: `crm-${trace}`, name: `${trace} Qamar`, email, phone: null },
      { id: 'cus_y', externalId: 'crm-y', name: 'Yusuf', email: 'yusuf@example.com' },
    );
    messaging.conversations.push(
      { id: 'conv_z', channelId: 'ch_1', customerId: 'cus_z' },
      { id: 'conv_z_sub', kind: 'order', parentId: 'conv_z' },
      { id: 'conv_y', channelId: 'ch_1', customerId: 'cus_y' },
      { id: 'conv_y_sub', kind: 'order', parentId: 'conv_y' },
    );
    const said = (id: string, conversationId: string, rest: object) => ({ id, conversationId, ...rest });
    const ofTeam = { senderType: 'member', senderId: 'mem_1' };
    messaging.messages.push(
      said('msg_z1', 'conv_z', { senderType: 'customer', senderId: 'cus_z', text: `${trace} asks`, attachments: [] }),
      said('msg_z2', 'conv_z', { ...ofTeam, text: `Hello ${trace}`, attachments: ['att_1', shared] }),
      said('msg_z3', 'conv_z_sub', { ...ofTeam, text: `Order of ${trace}`, attachments: ['att_1'] }),
      said('msg_y1', 'conv_y', { ...ofTeam, text: 'For Yusuf', attachments: [shared, 'att_2'] }),
    );
    document.attachments.push({
      id: shared,
      name: 'menu.pdf',
      s3Key: `workspaces/${workspace.id}/drive/messaging/2026-01/${shared}/menu.pdf`,
      type: 'application/pdf',
      size: 1,
    });
    document.notifications = ['z', 'z_sub', 'y'].map((id) => ({
      id: `not_${id}`,
      type: 'hand_over',
      conversationId: `conv_${id}`,
    }));
    document.forms = [
      {
        id: 'form_1',
        slug: 'contact',
        title: { en: 'Contact' },
        fields: [
          { id: 'ff_1', ref: 'mail', title: { en: 'E-mail' }, type: 'EMAIL', order: 1 },
          { id: 'ff_2', ref: 'text', title: { en: 'Text' }, type: 'TEXT', order: 2 },
        ],
      },
    ];
    document.formResponses = [
      { id: 'res_z', formId: 'form_1', answers: { mail: email } },
      { id: 'res_text', formId: 'form_1', answers: { text: email.toUpperCase() } },
      { id: 'res_y', formId: 'form_1', answers: { mail: 'yusuf@example.com' } },
    ];
  });
  const admin = `admin-${room.workspaceId}`;
  const manage = (request: string, body?: object, key = admin, headers = {}) => {
    const [method = '', path = ''] = request.split(' ');
    return call(`${method} /api/v1/manage/${path}`, { key, headers, ...(body && { body }) });
  };
  const visit = async (externalId: string) => {
    const visitor = await room.visit({ externalId });
    const files = formBody([{ filename: `${externalId}.txt`, type: 'text/plain', bytes: `Bytes of ${externalId}.` }]);
    const headers = { ...files.headers, 'idempotency-key': `file-${externalId}` };
    const options = { key: visitor.token, body: files.body, headers };
    const { json } = await call('POST /api/v1/connect/attachments', options);
    const text = `I am ${externalId}.`;
    const said = await call(`POST /api/v1/connect/conversations/${visitor.conversationId}/messages`, {
      key: visitor.token,
      body: { senderType: 'customer', text },
      headers: { 'idempotency-key': `once-${externalId}` },
    });
    return { ...visitor, file: json.files[0], said };
  };
  return { ...room, admin, manager: `manager-${room.workspaceId}`, manage, visit };
}
export type Room = Awaited<ReturnType<typeof openRoom>>;

const scheduled = () => ({ time: new Date().toISOString() }) as ScheduledEvent;
const context = { getRemainingTimeInMillis: () => 60_000 };

/** Runs what is due until nothing is left, as the schedule does. */
export async function runAll(): Promise<void> {
  for (let runs = 0; runs < 5 && (await dueItems('conversation')).length > 0; runs++) {
    await advanceUntilDue('conversation');
    await runRemovals(scheduled(), context);
  }
  await advanceUntilDue('upload');
  await sweepFiles(scheduled(), context);
}

const textOf = (item: object): string =>
  JSON.stringify(item, (_, value) =>
    value instanceof Uint8Array && value[0] === 0x1f ? gunzipSync(value).toString() : value,
  );

/** The places of the workspace with a text of the person, in the table and in the bucket. */
export async function traces({ workspaceId }: Pick<Room, 'workspaceId'>): Promise<string[]> {
  const { objects } = await leftovers(workspaceId);
  const items = (await allItems()).filter(
    (item) => textOf(item).includes(workspaceId) && textOf(item).toLowerCase().includes(trace),
  );
  // The shared file is named by another conversation; its id has the text, too.
  const left = [...items.map(({ pk, sk }) => `${pk} ${sk}`), ...objects.filter((key) => key.includes(trace))];
  return left.filter((place) => !place.includes(shared) && !/#named#|msg_y1$/.test(place));
}
