import type { Call } from '#test/support/call.ts';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { formBody } from '#test/support/multipart.ts';
import {
  call,
  conflictingWithFiles,
  itAnswersAsDescribed,
  keyedBy,
  overLimit,
  publicFile,
  type Requests,
  readBy,
  refusedBy,
  unavailable,
  withIdempotencyKey,
} from './status-requests.ts';

const { site, desk, all } = demoKeys;
const readByDesk = readBy(desk);
const refusedByDesk = refusedBy(desk);
const keyedByDesk = keyedBy(desk);

const upload = (options: Call, key: string | undefined = desk) =>
  call('POST /api/v1/connect/attachments', { ...(key && { key }), ...options });
const note = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: '0123456789' }]);
const announcements = 'POST /api/v1/connect/attachments/announce';
const menu = { name: 'menu.pdf', type: 'application/pdf', size: 18_000_000 };
const announced = { files: [menu] };
const stored = upload(note).then(({ json }): string => json.files[0].s3Key);
const download = async (options: Call = {}) =>
  call(`GET /api/v1/connect/assets/${await stored}`, { key: desk, ...options });

const streamed = (body: object, options: Call = { key: desk }) =>
  call('POST /api/v1/connect/ai-stream', { body, ...options });
const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' };

const talks = '/api/v1/connect/conversations';
const huda = `${talks}/conv_huda`;
const person = { channelId: 'ch_site', customer: { externalId: 'somebody-new' } };
const hello = { senderType: 'member', text: 'Hello.' };
const mark = { messageId: 'msg_01' };
const sessions = 'POST /api/v1/connect/visitor-sessions';
const website = { channelIdentifier: 'saffron.example' };

const requests: Requests = {
  attachmentsUpload: {
    200: () => upload(note),
    400: () => upload(formBody([])),
    401: () => call('POST /api/v1/connect/attachments', note),
    403: () => upload(note, site),
    409: () =>
      conflictingWithFiles(() => upload({ ...note, headers: { ...note.headers, ...withIdempotencyKey('in flight') } })),
    413: () => upload(formBody([{ filename: 'film.mp4', bytes: Buffer.alloc(5_000_000) }])),
    415: () => upload({ body: 'text', headers: { 'content-type': 'text/plain' } }),
    422: async () => {
      const other = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'another' }]);
      await upload({ ...note, headers: { ...note.headers, ...withIdempotencyKey('reused') } });
      return upload({ ...other, headers: { ...other.headers, ...withIdempotencyKey('reused') } });
    },
    429: overLimit(() => upload(note, all)),
    503: unavailable(() => upload(note)),
  },
  attachmentsAnnounce: {
    ...refusedByDesk(announcements, announced),
    ...keyedByDesk(announcements, announced, { files: [{ ...menu, size: 1 }] }),
    200: () => call(announcements, { key: desk, body: announced }),
    400: () => call(announcements, { key: desk, body: { files: [] } }),
    413: () => call(announcements, { key: desk, body: { files: [{ ...menu, size: 26_214_401 }] } }),
  },
  assetDownload: {
    200: () => download(),
    206: () => download({ headers: { range: 'bytes=2-4' } }),
    304: () => download({ headers: { 'if-none-match': '*' } }),
    401: async () => call(`GET /api/v1/connect/assets/${await stored}`),
    403: () => call('GET /api/v1/connect/assets/workspaces/another/drive/messaging/x', { key: desk }),
    404: async () => call(`GET /api/v1/connect/assets/${await stored}x`, { key: desk }),
    416: () => download({ headers: { range: 'bytes=10-' } }),
    429: overLimit(() => download({ key: all })),
    503: async () => {
      await stored;
      return unavailable(download)();
    },
  },
  aiReplyStream: {
    200: () => streamed(question),
    400: () => streamed({ agentId: 'agent_saffron' }),
    401: () => streamed(question, {}),
    403: () => streamed(question, { key: site }),
    404: async () => {
      const { json } = await call(sessions, { key: desk, body: website });
      return streamed(question, { key: json.token });
    },
    413: () => streamed({ ...question, senderId: 'x'.repeat(65_536) }),
    415: () => streamed(question, { key: desk, headers: { 'content-type': 'text/plain' } }),
    429: overLimit(() => streamed(question, { key: all })),
    503: unavailable(() => streamed(question)),
  },
  conversationsList: {
    ...readByDesk(`GET ${talks}`),
    400: () => call(`GET ${talks}?cursor=nothing`, { key: desk }),
  },
  conversationOpen: {
    ...refusedByDesk(`POST ${talks}`, person),
    ...keyedByDesk(`POST ${talks}`, { parentId: 'conv_huda', kind: 'topic' }, { parentId: 'conv_huda', kind: 'order' }),
    200: () => call(`POST ${talks}`, { key: desk, body: { channelId: 'ch_site', customerId: 'cus_huda' } }),
    201: () => call(`POST ${talks}`, { key: desk, body: person }),
    400: () => call(`POST ${talks}`, { key: desk, body: { customer: {}, language: 'fr' } }),
  },
  visitorSessionOpen: {
    ...refusedByDesk(sessions, website),
    201: () => call(sessions, { key: desk, body: website }),
    400: () => call(sessions, { key: desk, body: { ...website, language: 'fr' } }),
    404: () => call(sessions, { key: desk, body: { renew: 'nothing' } }),
  },
  conversationGet: { ...readByDesk(`GET ${huda}`), 404: () => call(`GET ${talks}/nothing`, { key: desk }) },
  conversationUpdate: {
    ...refusedByDesk(`PATCH ${huda}`, { status: 'open' }),
    200: () => call(`PATCH ${huda}`, { key: desk, body: { status: 'open' } }),
    400: () => call(`PATCH ${huda}`, { key: desk, body: { assignee: { type: 'agent', id: 'nobody' } } }),
    404: () => call(`PATCH ${talks}/nothing`, { key: desk, body: {} }),
    412: () => call(`PATCH ${huda}`, { key: desk, body: {}, headers: { 'if-match': '"another"' } }),
  },
  conversationRead: {
    ...refusedByDesk(`POST ${huda}/read`, mark),
    200: () => call(`POST ${huda}/read`, { key: desk, body: mark }),
    400: () => call(`POST ${huda}/read`, { key: desk, body: { messageId: 'nothing' } }),
    404: () => call(`POST ${talks}/nothing/read`, { key: desk, body: mark }),
  },
  messagesList: {
    ...readByDesk(`GET ${huda}/messages`),
    400: () => call(`GET ${huda}/messages?after=a&before=b`, { key: desk }),
    404: () => call(`GET ${talks}/nothing/messages`, { key: desk }),
  },
  messageSend: {
    ...refusedByDesk(`POST ${huda}/messages`, hello),
    ...keyedByDesk(`POST ${huda}/messages`, hello, { ...hello, text: 'Other.' }),
    201: () => call(`POST ${huda}/messages`, { key: desk, body: hello }),
    400: () => call(`POST ${huda}/messages`, { key: desk, body: { senderType: 'agent', attachments: ['a', 'a'] } }),
    404: () => call(`POST ${talks}/nothing/messages`, { key: desk, body: hello }),
  },
  widget: publicFile('GET /widget.js'),
};

itAnswersAsDescribed(requests, (tag) => tag === 'Messaging');
