import { afterAll } from '@jest/globals';
import type { Answer } from '#test/support/call.ts';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { png } from '#test/support/image-files.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { fetchImage, imagePart, mediaAddress, sendDirectly as sendToBucket } from '#test/support/media.ts';
import { formBody, type Part } from '#test/support/multipart.ts';
import {
  call,
  conflictingWithFiles,
  itAnswersAsDescribed,
  keyedBy,
  overLimit,
  type Requests,
  readBy,
  refusedBy,
  repeatWithEtag,
  unavailable,
  whenIdle,
  withIdempotencyKey,
} from './status-requests.ts';

const mail = await MailSink.start();
afterAll(() => mail.stop());

const { admin, all, editor, none, site } = demoKeys;
const read = readBy(admin);
const refused = refusedBy(admin);
const keyed = keyedBy(admin);

const sendImages = (key: string, parts: readonly Part[], headers: Record<string, string> = {}): Promise<Answer> => {
  const form = formBody(parts);
  return call(`POST ${mediaAddress}`, { key, body: form.body, headers: { ...form.headers, ...headers } });
};
const announcements = `POST ${mediaAddress}/announce`;
const announcementOf = (size: number) => ({ files: [{ name: 'a.png', type: 'image/png', size }] });
const announce = (size: number) => call(announcements, { key: editor, body: announcementOf(size) });
const image = async () => (await sendImages(editor, [imagePart()])).json;
const confirm = (id: string, key: string = editor) => call(`POST ${mediaAddress}/${id}`, { key });

const chef = '/api/public/cms/chefs/chef_noura';
const workspace = '/api/v1/manage/workspace';
const currency = { currency: 'SAR' };
const keysPath = '/api/v1/manage/api-keys';
const members = '/api/v1/manage/members';
const events = '/api/v1/manage/audit-events';
const siteKey = `${keysPath}/key_site`;
const omar = `${members}/mem_omar`;
const hooks = '/api/v1/manage/webhooks';
const hook = async (more: object = {}): Promise<string> => {
  const body = { url: 'https://hooks.example.com', types: ['form.*'], apiKeyId: 'key_site', ...more };
  return `${hooks}/${(await call(`POST ${hooks}`, { key: admin, body })).json.id}`;
};
const ownHook = await hook();
const rotated = `POST ${ownHook}/rotate`;
/** A delivery of a webhook: a test. */
const sent = async (address: string): Promise<string> =>
  `POST ${address}/deliveries/${(await call(`POST ${address}/test`, { key: admin })).json.id}`;
const since = { since: '2026-01-01T00:00:00Z' };
/** The statuses of a call without a body that sends something. */
const sends = (address: string) => ({
  202: () => call(address, { key: admin }),
  401: () => call(address),
  403: () => call(address, { key: none }),
  429: overLimit(() => call(address, { key: all })),
  503: unavailable(() => call(address, { key: admin })),
});
await call(`PATCH ${workspace}`, { key: admin, body: { currency: 'AED' } });
const version = (await call(`GET ${workspace}/versions`, { key: admin })).json.data[0].id;
const name = { name: 'A' };
const otherName = { name: 'B' };
const old = { 'if-match': '"old"' };
const remove = (id: string, key: string = admin, headers = {}) => call(`DELETE ${members}/${id}`, { key, headers });
const invite = (id: string, key: string = admin) => call(`POST ${members}/${id}/invite`, { key });
const newMember = async (): Promise<string> => (await call(`POST ${members}`, { key: admin, body: name })).json.id;
const event = async () => {
  await newMember();
  return `GET ${events}/${(await call(`GET ${events}?limit=1`, { key: admin })).json.data[0].id}`;
};

/** The statuses of a change of one record. */
const changes = (address: string, nobody: string) => ({
  ...refused(address, name),
  ...keyed(address, name, otherName),
  200: () => call(address, { key: admin, body: name }),
  400: () => call(address, { key: admin, body: { name: 1, more: 1 } }),
  404: () => call(nobody, { key: admin, body: name }),
  412: () => call(address, { key: admin, body: name, headers: old }),
});

/** The statuses of creating a record. */
const makes = (address: string, id: string) => ({
  ...refused(address, name),
  ...keyed(address, name, otherName),
  201: () => call(address, { key: admin, body: name }),
  400: () => call(address, { key: admin, body: { name: 1, more: 1 } }),
  409: () => call(address, { key: admin, body: { ...name, id } }),
});

const requests: Requests = {
  accessKeysList: {
    ...read(`GET ${keysPath}`),
    304: async () => {
      // The list shows the use of this key, which is recorded during the first request with it.
      await call(`GET ${keysPath}`, { key: admin });
      await whenIdle();
      return repeatWithEtag(`GET ${keysPath}`, { key: admin });
    },
    400: () => call(`GET ${keysPath}?limit=0`, { key: admin }),
  },
  accessKeyGet: { ...read(`GET ${siteKey}`), 404: () => call(`GET ${keysPath}/nobody`, { key: admin }) },
  accessKeyCreate: makes(`POST ${keysPath}`, 'key_site'),
  accessKeyUpdate: changes(`PATCH ${siteKey}`, `PATCH ${keysPath}/nobody`),
  accessKeyRotate: {
    ...refused(`POST ${keysPath}/key_expired/rotate`, {}),
    ...keyed(`POST ${keysPath}/key_expired/rotate`, {}, { graceSeconds: 1 }),
    200: () => call(`POST ${keysPath}/key_expired/rotate`, { key: admin, body: {} }),
    400: () => call(`POST ${keysPath}/key_expired/rotate`, { key: admin, body: { graceSeconds: -1 } }),
    404: () => call(`POST ${keysPath}/nobody/rotate`, { key: admin, body: {} }),
  },
  webhookRotate: {
    ...refused(rotated, {}),
    ...keyed(rotated, {}, { graceSeconds: 1 }),
    200: () => call(rotated, { key: admin, body: {} }),
    400: () => call(rotated, { key: admin, body: { graceSeconds: -1 } }),
    404: () => call(`POST ${hooks}/nobody/rotate`, { key: admin, body: {} }),
  },
  webhookDeliveriesList: {
    ...read(`GET ${ownHook}/deliveries`),
    400: () => call(`GET ${ownHook}/deliveries?limit=0`, { key: admin }),
    404: () => call(`GET ${hooks}/nobody/deliveries`, { key: admin }),
  },
  webhookDeliveryRetry: {
    ...sends(`${await sent(ownHook)}/retry`),
    404: () => call(`POST ${ownHook}/deliveries/nobody/retry`, { key: admin }),
    409: async () => call(`${await sent(await hook({ enabled: false }))}/retry`, { key: admin }),
  },
  webhookTest: { ...sends(`POST ${ownHook}/test`), 404: () => call(`POST ${hooks}/nobody/test`, { key: admin }) },
  webhookReplay: {
    ...refused(`POST ${ownHook}/replay`, since),
    202: () => call(`POST ${ownHook}/replay`, { key: admin, body: since }),
    400: () => call(`POST ${ownHook}/replay`, { key: admin, body: {} }),
    404: () => call(`POST ${hooks}/nobody/replay`, { key: admin, body: since }),
    409: async () => call(`POST ${await hook({ enabled: false })}/replay`, { key: admin, body: since }),
  },
  accessMembersList: { ...read(`GET ${members}`), 400: () => call(`GET ${members}?limit=0`, { key: admin }) },
  accessMemberGet: { ...read(`GET ${omar}`), 404: () => call(`GET ${members}/nobody`, { key: admin }) },
  accessMemberCreate: makes(`POST ${members}`, 'mem_omar'),
  accessMemberReplace: {
    ...changes(`PUT ${omar}`, `PUT ${members}/${'x'.repeat(300)}`),
    201: () => call(`PUT ${members}/mem_new`, { key: admin, body: name }),
  },
  accessMemberUpdate: changes(`PATCH ${omar}`, `PATCH ${members}/nobody`),
  accessMemberDelete: {
    204: async () => remove(await newMember()),
    400: () => remove('mem_omar', admin, { 'idempotency-key': 'x'.repeat(256) }),
    401: () => call(`DELETE ${omar}`),
    403: () => remove('mem_omar', none),
    404: () => remove('nobody'),
    409: () => remove('mem_sara'),
    412: () => remove('mem_omar', admin, old),
    429: overLimit(() => remove('mem_omar', all)),
    503: unavailable(() => remove('mem_omar')),
  },
  accessMemberInvite: {
    204: () => invite('mem_lina'),
    401: () => call(`POST ${omar}/invite`),
    403: () => invite('mem_omar', none),
    404: () => invite('nobody'),
    409: async () => invite(await newMember()),
    429: overLimit(() => invite('mem_omar', all)),
    503: unavailable(() => invite('mem_lina')),
  },
  auditEventsList: { ...read(`GET ${events}`), 400: () => call(`GET ${events}?since=today`, { key: admin }) },
  deletedRecordsList: {
    ...read('GET /api/v1/manage/deleted'),
    400: () => call('GET /api/v1/manage/deleted?kind=customers', { key: admin }),
    403: () => call('GET /api/v1/manage/deleted?kind=agents', { key: none }),
  },
  eventsList: { ...read('GET /api/v1/events'), 400: () => call('GET /api/v1/events?types=all', { key: admin }) },
  auditEventGet: {
    200: async () => call(await event(), { key: admin }),
    304: async () => repeatWithEtag(await event(), { key: admin }),
    401: async () => call(`GET ${events}/nothing`),
    403: async () => call(`GET ${events}/nothing`, { key: none }),
    404: () => call(`GET ${events}/nothing`, { key: admin }),
    429: overLimit(() => call(`GET ${events}/nothing`, { key: all })),
    503: unavailable(() => call(`GET ${events}/nothing`, { key: admin })),
  },
  manageWorkspaceGet: read(`GET ${workspace}`),
  manageWorkspaceVersions: {
    ...read(`GET ${workspace}/versions`),
    400: () => call(`GET ${workspace}/versions?limit=0`, { key: admin }),
    404: () => call(`GET ${workspace}/versions/`, { key: admin }),
  },
  manageWorkspaceVersion: {
    ...read(`GET ${workspace}/versions/${version}`),
    404: () => call(`GET ${workspace}/versions/evt_1`, { key: admin }),
  },
  manageWorkspaceRestore: {
    ...refused(`POST ${workspace}/restore`, { version }),
    ...keyed(`POST ${workspace}/restore`, { version }, { version: 'evt_1' }),
    200: () => call(`POST ${workspace}/restore`, { key: admin, body: { version } }),
    400: () => call(`POST ${workspace}/restore`, { key: admin, body: { version: 'evt_1' } }),
    404: () => call(`POST ${workspace}/restore/`, { key: admin, body: { version } }),
    412: () => call(`POST ${workspace}/restore`, { key: admin, body: { version }, headers: old }),
  },
  manageWorkspaceUpdate: {
    ...refused(`PATCH ${workspace}`, currency),
    ...keyed(`PATCH ${workspace}`, currency, { currency: 'USD' }),
    200: () => call(`PATCH ${workspace}`, { key: admin, body: currency }),
    400: () => call(`PATCH ${workspace}`, { key: admin, body: { currency: 1 } }),
    412: () => call(`PATCH ${workspace}`, { key: admin, body: currency, headers: old }),
  },
  mediaUpload: {
    201: () => sendImages(editor, [imagePart()]),
    400: () => sendImages(editor, [imagePart('text')]),
    401: () => call(`POST ${mediaAddress}`, formBody([imagePart()])),
    403: () => sendImages(site, [imagePart()]),
    409: () => conflictingWithFiles(() => sendImages(editor, [imagePart()], withIdempotencyKey('image in flight'))),
    413: () => sendImages(editor, [imagePart(Buffer.alloc(5_000_000))]),
    415: () => call(`POST ${mediaAddress}`, { key: editor, body: 'text', headers: { 'content-type': 'text/plain' } }),
    422: async () => {
      await sendImages(editor, [imagePart()], withIdempotencyKey('image reused'));
      return sendImages(editor, [imagePart(png(4, 4))], withIdempotencyKey('image reused'));
    },
    429: overLimit(() => sendImages(all, [imagePart()])),
    503: unavailable(() => sendImages(editor, [imagePart()])),
  },
  mediaAnnounce: {
    ...refused(announcements, announcementOf(5)),
    ...keyed(announcements, announcementOf(5), announcementOf(6)),
    201: () => announce(5),
    400: () => announce(-1),
    403: () => call(announcements, { key: site, body: announcementOf(5) }),
    413: () => announce(10_485_761),
  },
  mediaConfirm: {
    200: async () => confirm((await sendToBucket(editor, png())).id),
    400: async () => confirm((await sendToBucket(editor, Buffer.from('text'))).id),
    401: () => call(`POST ${mediaAddress}/img_1`),
    403: () => confirm('img_1', site),
    404: () => confirm('img_1'),
    409: async () => confirm((await announce(5)).json.id),
    429: overLimit(() => confirm('img_1', all)),
    503: unavailable(() => confirm('img_1')),
  },
  mediaDelete: {
    204: async () => call(`DELETE ${mediaAddress}/${(await image()).id}`, { key: editor }),
    401: () => call(`DELETE ${mediaAddress}/img_1`),
    403: () => call(`DELETE ${mediaAddress}/img_1`, { key: site }),
    404: () => call(`DELETE ${mediaAddress}/img_1`, { key: editor }),
    409: async () => {
      const { id, url } = await image();
      const bio = { en: `<img src="${url}">` };
      await call(`PATCH ${chef}`, { key: editor, body: { values: { bio } } });
      return call(`DELETE ${mediaAddress}/${id}`, { key: editor });
    },
    429: overLimit(() => call(`DELETE ${mediaAddress}/img_1`, { key: all })),
    503: unavailable(() => call(`DELETE ${mediaAddress}/img_1`, { key: editor })),
  },
  mediaDownload: {
    200: async () => fetchImage((await image()).url),
    206: async () => fetchImage((await image()).url, { range: 'bytes=1-3' }),
    304: async () => fetchImage((await image()).url, { 'if-none-match': '*' }),
    404: () => call('GET /media/img_1'),
    416: async () => fetchImage((await image()).url, { range: 'bytes=100000-' }),
    503: async () => {
      const { url } = await image();
      return unavailable(() => fetchImage(url))();
    },
  },
};

itAnswersAsDescribed(requests, (tag) => tag === 'Management' || tag === 'Events');
