import { type Answer, call } from './call.ts';
import { contactAnswers } from './demo-workspace.ts';
import { png } from './image-files.ts';
import { announce as announceImage, fetchImage, imagePart, mediaAddress, sendDirectly, upload } from './media.ts';
import { formBody } from './multipart.ts';
import { type SignedIn, signIn, signInPerson } from './signed-in.ts';
import type { Document } from './world.ts';

/** A write of the demo workspace, and its stored result after one execution. */
export interface Write {
  readonly operation: string;
  /** The list of an export whose length it changes; without one, only the contents of the export change. */
  readonly list?: (document: Document) => readonly unknown[];
  /** @default 1 */
  readonly adds?: number;
  send(): Promise<Answer>;
}

type Requests = Readonly<Record<string, () => Promise<Answer>>>;

const manage = '/api/v1/manage';
const versionsMade = 20;
const talks = '/api/v1/connect/conversations';
export const chef = '/api/public/cms/chefs/chef_noura';
const profile = '/api/v1/profile';
const session = '/api/v1/session';
/** Prepares the request without faults, because the test's table does not use the proxy. */
const sara = () => signIn({ workspaceId: 'ws_saffron', address: 'sara@saffron.example' });

/** Members who have not accepted. Each request that accepts takes the next, because a second acceptance writes nothing. */
export const pendingMembers = Array.from({ length: 80 }, (_, number) => ({
  id: `mem_pending_${number}`,
  name: 'Pending',
  email: `pending-${number}@saffron.example`,
  permissions: [],
  acceptedAt: null,
}));
const waiting = pendingMembers.values();
const pending = () => signInPerson(waiting.next().value?.email ?? '');
const attachmentsPath = 'POST /api/v1/connect/attachments';
const note = formBody([{ filename: 'note.txt', type: 'text/plain', bytes: 'A note.' }]);
const menu = { name: 'menu.pdf', type: 'application/pdf', size: 5 };
const hello = { senderType: 'customer', text: 'Hello.' };
const topic = { parentId: 'conv_huda', kind: 'topic' };

let count = 0;
/** The newest version is the stored one, and is not restored. */
let restored = 0;
const newKey = () => ({ 'idempotency-key': `fault-${++count}` });
/** A value that the entry does not have, so that the update writes it. */
const newBio = () => ({ values: { bio: { en: `Biography ${++count}` } } });
const newName = () => ({ name: `Name ${++count}` });
const newModel = () => ({ name: { en: `Name ${++count}` }, fields: [] });

/**
 * A request for each route of the demo workspace. Each one does its work at least one time.
 * @param key has all permissions that a member can have
 * @param manager has all permissions and no member
 */
export function everyRoute(key: string, manager: string) {
  const made = {
    s3Key: '',
    eventId: '',
    webhookId: '',
    deliveryId: '',
    shownUrl: '',
    unusedId: '',
    sentIds: ['', ''],
    versions: [''],
  };
  const known: { session?: SignedIn } = {};
  const get = (path: string) => () => call(`GET ${manage}/${path}`, { key: manager });
  const change = (request: string, body: () => object | undefined, headers?: () => Record<string, string>) => () => {
    const [method, path] = request.split(' ');
    return call(`${method} ${manage}/${path}`, { key: manager, body: body(), headers: headers?.() ?? {} });
  };
  const write = (send: Write['send'], list?: Write['list'], adds?: number): Write => ({
    operation: 'TransactWriteItems',
    send,
    ...(list && { list }),
    ...(adds !== undefined && { adds }),
  });

  const managed: Requests = {
    'manage-get': get('menu-products/prod_shakshuka'),
    'manage-get of versions': get('workspace/versions'),
    'manage-list': get('cms-entries?modelId=chefs'),
    'manage-list of deleted records': get('deleted'),
    'manage-list of responses': get('form-responses'),
    'manage-workspace-get': get('workspace'),
    'access-get of a key': get('api-keys/key_site'),
    'access-list of keys': get('api-keys'),
    'access-get of a member': get('members/mem_omar'),
    'access-list of members': get('members'),
    'access-get of an event': () => get(`audit-events/${made.eventId}`)(),
    'access-list of events': get('audit-events'),
    'webhook-deliveries-list': () => get(`webhooks/${made.webhookId}/deliveries`)(),
    'events-list': () => call('GET /api/v1/events?limit=100', { key: manager }),
  };
  const reads: Requests = {
    'cms-entries-list': () => call('GET /api/public/cms/chefs/list', { key }),
    'cms-entry-get': () => call(`GET ${chef}`, { key }),
    'menu-products-list': () => call(`GET /api/public/menu/products?apiKey=${key}`),
    'menu-categories-list': () => call(`GET /api/public/menu/categories?includeProducts=true&apiKey=${key}`),
    'form-get': () => call(`GET /api/public/forms/contact?apiKey=${key}`),
    'conversations-list': () => call(`GET ${talks}`, { key }),
    'conversation-get': () => call(`GET ${talks}/conv_huda`, { key }),
    'messages-list': () => call(`GET ${talks}/conv_huda/messages`, { key }),
    'asset-download': () => call(`GET /api/v1/connect/assets/${made.s3Key}`, { key }),
    'media-download': () => fetchImage(made.shownUrl),
    'session-memberships-list': async () => (known.session ?? (await sara())).call('GET /api/v1/session/memberships'),
    'profile-get': async () => (known.session ?? (await sara())).call(`GET ${profile}`),
    ...managed,
  };

  const patchChef = (headers = {}) => call(`PATCH ${chef}`, { key, body: newBio(), headers });
  const submit = (headers = {}) =>
    call(`POST /api/public/forms/contact?apiKey=${key}`, { body: contactAnswers, headers });
  const open = (headers = {}) => call(`POST ${talks}`, { key, body: topic, headers });
  const visit = () =>
    call('POST /api/v1/connect/visitor-sessions', {
      key,
      body: { channelIdentifier: 'saffron.example', customer: { externalId: 'crm-77' } },
    });
  const say = (headers = {}) => call(`POST ${talks}/conv_huda/messages`, { key, body: hello, headers });
  const attach = (headers = {}) =>
    call(attachmentsPath, { key, body: note.body, headers: { ...note.headers, ...headers } });
  const announce = (headers = {}) =>
    call(`${attachmentsPath}/announce`, { key, headers, body: { files: [menu, menu] } });
  const responses = ({ formResponses }: Document) => formResponses;
  const conversations = ({ messaging }: Document) => messaging.conversations;
  const messages = ({ messaging }: Document) => messaging.messages;
  const customers = ({ messaging }: Document) => messaging.customers;
  const attachments = ({ attachments: list }: Document) => list;
  const products = ({ menu }: Document) => menu.products;
  const models = ({ cms }: Document) => cms.models;
  const members = ({ members: list }: Document) => list;
  const keys = ({ apiKeys }: Document) => apiKeys;
  /** No export contains images and sessions. */
  const nothing = () => [];
  const noRecord = [nothing, 0] as const;

  const writes: Readonly<Record<string, Write>> = {
    'cms-entry-update': write(() => patchChef()),
    'cms-entry-update with an idempotency key': write(() => patchChef(newKey())),
    'form-submit': write(() => submit(), responses),
    'form-submit with an idempotency key': write(() => submit(newKey()), responses),
    'conversation-open': write(() => open(), conversations),
    'conversation-open with an idempotency key': write(() => open(newKey()), conversations),
    'visitor-session-open': write(visit, conversations, 0),
    'conversation-update': write(() =>
      call(`PATCH ${talks}/conv_nakheel`, { key, body: { assignee: { type: 'member', id: 'mem_lina' } } }),
    ),
    'message-send': write(() => say(), messages),
    'message-send with an idempotency key': write(() => say(newKey()), messages),
    'conversation-read': {
      operation: 'UpdateItem',
      list: nothing,
      adds: 0,
      send: () => call(`POST ${talks}/conv_huda/read`, { key, body: { messageId: 'msg_10' } }),
    },
    'attachments-upload': write(() => attach(), attachments),
    'attachments-announce': write(() => announce(), ...noRecord),
    'attachments-announce with an idempotency key': write(() => announce(newKey()), ...noRecord),
    'attachments-upload with an idempotency key': write(() => attach(newKey()), attachments),
    'manage-create': write(change('POST customers', newName), customers),
    'manage-create with an idempotency key': write(change('POST customers', newName, newKey), customers),
    'manage-replace': write(change('PUT customers/cus_reem', newName)),
    'manage-update': write(change('PATCH menu-products/prod_fattoush', () => ({ preparationTime: ++count }))),
    'manage-delete': write(
      change('DELETE menu-products/prod_tabbouleh', () => undefined),
      products,
      -1,
    ),
    'manage-restore': write(
      change('POST forms/form_contact/restore', () => ({ version: made.versions[++restored % versionsMade] })),
    ),
    'schema-create': write(change('POST cms-models', newModel), models),
    'schema-replace': write(change('PUT cms-models/changed', newModel)),
    'schema-update of a database': write(change('PATCH cms-models/changed', newModel)),
    'schema-update of the workspace': write(change('PATCH workspace', newName)),
    'schema-delete': write(
      change('DELETE cms-models/unused', () => undefined),
      models,
      -1,
    ),
    'access-create of a key': write(change('POST api-keys', newName), keys),
    'access-create of a key with an idempotency key': write(change('POST api-keys', newName, newKey), keys),
    'access-update of a key': write(change('PATCH api-keys/key_expired', newName)),
    'webhook-rotate': write(() => change(`POST webhooks/${made.webhookId}/rotate`, () => ({ graceSeconds: 0 }))()),
    'webhook-delivery-retry': write(() =>
      change(`POST webhooks/${made.webhookId}/deliveries/${made.deliveryId}/retry`, () => undefined)(),
    ),
    'webhook-test': write(
      () => change(`POST webhooks/${made.webhookId}/test`, () => undefined)(),
      ({ deliveries }) => deliveries,
    ),
    'webhook-replay': write(
      () => change(`POST webhooks/${made.webhookId}/replay`, () => ({ since: '2026-01-01T00:00:00Z' }))(),
      ({ followers }) => followers,
    ),
    'access-key-rotate': write(change('POST api-keys/key_none/rotate', () => ({ graceSeconds: 0 }))),
    'access-create of a member': write(change('POST members', newName), members),
    'access-replace': write(change('PUT members/mem_omar', newName)),
    'access-update of a member': write(change('PATCH members/mem_lina', newName)),
    'access-delete': write(
      change('DELETE members/mem_dana', () => undefined),
      members,
      -1,
    ),
    'access-member-invite': write(
      change('POST members/mem_lina/invite', () => undefined),
      ...noRecord,
    ),
    'profile-update': write(async () => (await sara()).call(`PATCH ${profile}`, { body: newName() })),
    'session-switch': write(
      async () => (await sara()).call(`POST ${session}`, { body: { workspaceId: 'ws_saffron' } }),
      ...noRecord,
    ),
    'session-membership-answer': write(
      async () => (await pending()).call('POST /api/v1/session/memberships/ws_saffron', { body: { accept: true } }),
      ...noRecord,
    ),
    'session-end': write(async () => (await sara()).call(`DELETE ${session}`), ...noRecord),
    'media-announce': write(() => announceImage(manager, menu, newKey()), ...noRecord),
    'media-upload': write(() => upload(manager, [imagePart()]), ...noRecord),
    'media-confirm': write(() => call(`POST ${mediaAddress}/${made.sentIds[0]}`, { key: manager }), ...noRecord),
    'media-delete': write(() => call(`DELETE ${mediaAddress}/${made.unusedId}`, { key: manager }), ...noRecord),
  };

  /** The requests that need the bucket. */
  const files: Requests = {
    'attachments-upload': () => attach(),
    'asset-download': () => call(`GET /api/v1/connect/assets/${made.s3Key}`, { key }),
    'media-upload': () => upload(manager, [imagePart()]),
    'media-confirm': () => call(`POST ${mediaAddress}/${made.sentIds[1]}`, { key: manager }),
    'media-download': () => fetchImage(made.shownUrl),
  };

  /** Creates the records of the requests. */
  async function prepare(): Promise<void> {
    made.s3Key = (await attach()).json.files[0].s3Key;
    made.shownUrl = (await upload(manager, [imagePart()])).json.url;
    made.unusedId = (await upload(manager, [imagePart()])).json.id;
    made.sentIds = [(await sendDirectly(manager, png())).id, (await sendDirectly(manager, png())).id];
    // The first update of an entry changes its row in lists.
    await patchChef();
    known.session = await sara();
    for (const id of ['changed', 'unused']) await change(`PUT cms-models/${id}`, newModel)();
    const hook = { url: 'https://hooks.example.com', types: ['webhook.*', 'cms_entry.*'], apiKeyId: 'key_site' };
    made.webhookId = (await call(`POST ${manage}/webhooks`, { key: manager, body: hook })).json.id;
    made.deliveryId = (await call(`POST ${manage}/webhooks/${made.webhookId}/test`, { key: manager })).json.id;
    // Restoring the stored version would write nothing, so there are more of them than failures in a row.
    for (let number = 0; number < versionsMade; number++)
      await change('PATCH forms/form_contact', () => ({ title: { en: `Contact ${number}` } }))();
    const { json } = await get(`forms/form_contact/versions?limit=${versionsMade}`)();
    made.versions = json.data.map(({ id }: { id: string }) => id);
    made.eventId = (await call(`GET ${manage}/audit-events`, { key: manager })).json.data[0].id;
  }

  return { reads, writes, files, prepare };
}
