import { conversations } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { answered, idempotencyHeaders, shared, type Work } from './work.ts';

const open = shared(() => openWorkspace('talk'));

type Room = Awaited<ReturnType<typeof open>>;
const send = ({ key }: Room, request: string, body?: object, headers = {}) => {
  const [method, path] = request.split(' ');
  return answered(`${method} ${conversations}${path}`, { key, headers, ...(body && { body }) });
};

/** Conversations and their messages, with a key whose member is a participant. */
export const conversationWork: Work = {
  'conversation-open': {
    before: open,
    act: async (room: Room) => {
      const body = { channelId: 'ch_2', customer: { externalId: 'new' } };
      // The second call finds the conversation of the first.
      for (let time = 0; time < 2; time++) await send(room, 'POST ', body, idempotencyHeaders());
      await send(room, 'POST ', { kind: 'topic', parentId: 'conv_1' });
    },
  },
  'visitor-session-open': {
    before: open,
    act: async ({ key }: Room) => {
      const session = (body: object) => answered('POST /api/v1/connect/visitor-sessions', { key, body });
      const { json } = await session({ channelIdentifier: 'visitors.example.com', customer: { name: 'Sami' } });
      await session({
        channelIdentifier: 'visitors.example.com',
        customer: { externalId: 'crm-2', phone: '0112345678' },
      });
      await session({ renew: json.token });
    },
  },
  'conversation-get': { before: open, act: (room: Room) => send(room, 'GET /conv_1') },
  'conversation-update': {
    before: open,
    act: async (room: Room) => {
      await send(room, 'PATCH /conv_1', { status: 'resolved' });
      await send(room, 'PATCH /conv_1', { status: 'open', assignee: { type: 'member', id: 'mem_1' }, language: 'ar' });
    },
  },
  'conversation-read': {
    before: open,
    act: (room: Room) => send(room, 'POST /conv_1/read', { messageId: 'msg_1' }),
  },
  'conversations-list': {
    before: open,
    act: async (room: Room) => {
      await send(room, 'GET ?limit=1');
      await send(room, 'GET ?status=open&channelId=ch_1');
    },
  },
  'messages-list': { before: open, act: (room: Room) => send(room, 'GET /conv_1/messages?limit=2') },
  'message-send': {
    before: async () => {
      const room = await open();
      await send(room, 'PATCH /conv_1', { status: 'resolved' });
      const files = [{ name: 'a.pdf', type: 'application/pdf', size: 5 }];
      const { json } = await answered('POST /api/v1/connect/attachments/announce', { key: room.key, body: { files } });
      const [{ id, upload }] = json.files;
      await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: 'hello' });
      return { room, id };
    },
    act: async ({ room, id }: { room: Room; id: string }) => {
      const message = { senderType: 'customer', text: 'Hello.', attachments: [id] };
      await send(room, 'POST /conv_1/messages', message, idempotencyHeaders());
      await send(room, 'POST /conv_bare/messages', { ...message, senderId: 'cus_2', attachments: ['att_1'] });
    },
  },
};
