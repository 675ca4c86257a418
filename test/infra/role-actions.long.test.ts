import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { StoredFiles } from '#lib/attachments/stored-files.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import type { Use } from '#lib/http/declaration.ts';
import { callersOf } from '#lib/http/endpoint.ts';
import { storeImage } from '#lib/media/store-image.ts';
import { entryListScope } from '#lib/table/cms/entry-list.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import type { RecordKind } from '#lib/table/keys.ts';
import { noteLongLog } from '#lib/table/log/write-log.ts';
import { menuScope } from '#lib/table/menu/menu-index.ts';
import { relationScope } from '#lib/table/menu/relation-base.ts';
import { newItem } from '#lib/table/stored-item.ts';
import { bucketRight, tableRights } from '#test/support/aws-calls.ts';
import { advanceUntilDue, dueItems } from '#test/support/due-items.ts';
import { openRoom } from '#test/support/erased-person.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { png, pngChunk } from '#test/support/image-files.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { deliverJobs, storeResponse, sweep } from '#test/support/mail-work.ts';
import {
  fetchImage,
  imagePart,
  mediaAddress,
  upload as sendImages,
  sendDirectly as sendToBucket,
} from '#test/support/media.ts';
import { formBody } from '#test/support/multipart.ts';
import { noise } from '#test/support/noise.ts';
import { ageBase } from '#test/support/old-log.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { sweepWebhooks } from '#test/support/webhook-work.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';
import { conversationWork } from './conversation-work.ts';
import { manageWork } from './manage-work.ts';
import { sessionWork } from './session-work.ts';
import { isAllowed, roleOf } from './statements.ts';
import { declared, functionsByName, resourcesOf, synthesize } from './synthesize.ts';
import { answered, idempotencyHeaders, type Work } from './work.ts';

// The emulators do not check roles, so this test evaluates the real calls of functions as IAM does.

const service = await synthesize(declared, { mail: { from: 'forms@mail.example.com' } });
const rolesByName = new Map([...functionsByName(service)].map(([name, { fn }]) => [name, roleOf(service, fn)]));
const sender = { 'ses:FromAddress': 'forms@mail.example.com' };

/** The uses of each function that declares any. An address allows nothing. */
const users = new Map(
  [
    ...declared.endpoints.map(({ name, endpoint }) => [name, endpoint.uses] as const),
    ...declared.triggers.map(({ name, trigger }) => [name, trigger.uses] as const),
  ].filter(([, uses]) => uses.some((use) => /^(?:table|files|mail):/.test(use) && use !== 'files:address')),
);

const boss = (email: string) => ({ id: 'mem_boss', name: 'Boss', email, permissions: Permission.options });

let table: FaultProxy;
let bucket: S3FaultProxy;
let mail: MailSink;
let kitchen: Workspace;

beforeAll(async () => {
  await openOwnTable();
  kitchen = await openWorkspace('kitchen', (document) => {
    document.members.push({ id: 'mem_files', name: 'Sara', permissions: ['messaging:conversation:engage'] });
    document.apiKeys.push({
      id: 'key_files',
      name: 'Files',
      secret: `files-${document.workspace.id}`,
      memberId: 'mem_files',
      permissions: ['messaging:conversation:engage', 'messaging:conversation:read'],
    });
    document.members.at(-1).permissions.push('messaging:conversation:read');
    document.members.push(boss('boss@example.com'), { ...boss('deputy@example.com'), id: 'mem_deputy' });
    document.apiKeys.push(
      { id: 'key_admin', name: 'Admin', secret: `admin-${document.workspace.id}`, permissions: Permission.options },
      { id: 'key_boss', name: 'Boss', secret: `boss-${document.workspace.id}`, memberId: 'mem_boss', permissions: [] },
    );
    const photo = { id: 'fld_photo', ref: 'photo', title: { en: 'Photo' }, type: 'FILE', validations: {} };
    const notifications = { emails: ['owner@example.com'] };
    document.forms = [
      { id: 'form_1', slug: 'contact', title: { en: 'Contact' }, enabled: true, notifications, fields: [photo] },
    ];
  });
  mail = await MailSink.start();
  table = await FaultProxy.start();
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
  bucket = await S3FaultProxy.start();
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});

afterAll(() => Promise.all([table.stop(), bucket.stop(), mail.stop()]));

beforeEach(() => {
  table.heal();
  bucket.heal();
});

const fileKey = () => `files-${kitchen.workspaceId}`;
const upload = (bytes: number) => {
  const { headers, body } = formBody([{ filename: 'a.bin', type: 'application/zip', bytes: new Uint8Array(bytes) }]);
  return answered('POST /api/v1/connect/attachments', {
    key: fileKey(),
    headers: { ...headers, ...idempotencyHeaders() },
    body,
  });
};

/** Announces a file and sends it to the bucket, with the rights of the function that has signed the address. */
async function sendDirectly(): Promise<{ id: string; s3Key: string }> {
  const body = { files: [{ name: 'a.pdf', type: 'application/pdf', size: 5 }] };
  const { json } = await answered('POST /api/v1/connect/attachments/announce', {
    key: fileKey(),
    headers: idempotencyHeaders(),
    body,
  });
  const [file] = json.files;
  const { status } = await fetch(file.upload.url, { method: 'PUT', headers: file.upload.headers, body: 'hello' });
  expect(status).toBe(200);
  return file;
}

/** As a multipart upload, for bodies larger than an event. */
async function writeLargeFile(): Promise<void> {
  const files = new StoredFiles({ workspaceId: kitchen.workspaceId }, () => testTable());
  files.open({ name: 'large.zip', type: 'application/zip' });
  for (let part = 0; part < 6; part++) await files.write(new Uint8Array(1_048_576));
  await files.close();
  await files.store();
}

/** Changes what compaction folds, and notes it. */
async function makeLogLong(): Promise<void> {
  const body = { values: { signature: ['prod_1'] } };
  await answered('PATCH /api/public/cms/chefs/chef_1', { key: kitchen.keys.chief, body });
  await noteLongLog(testTable(), kitchen.workspaceId);
  for (const modelId of kitchen.document.cms.models.map(({ id }: { id: string }) => id)) {
    await ageBase(entryListScope(kitchen, modelId));
  }
  for (const scope of [menuScope(kitchen), relationScope(kitchen)]) await ageBase(scope);
}

async function compactCollections(): Promise<void> {
  const { handler } = await import('#functions/collections-compact/handler.ts');
  const isLong = async () =>
    (await dueItems('compaction')).some(({ workspaceId }) => workspaceId === kitchen.workspaceId);
  expect(await isLong()).toBe(true);
  await handler({ time: new Date().toISOString() } as ScheduledEvent, { getRemainingTimeInMillis: () => 55_000 });
  expect(await isLong()).toBe(false);
}

async function sweepAttachments(): Promise<void> {
  const { handler } = await import('#functions/attachments-sweep/handler.ts');
  const time = new Date(Date.now() + 31 * 60_000).toISOString();
  await handler({ time } as ScheduledEvent, { getRemainingTimeInMillis: () => 55_000 });
}

/** Stores a response with a file and a notification whose time is over. */
async function storeOldRecords(): Promise<void> {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const { workspaceId } = kitchen;
  const file = `att_${Date.parse(createdAt).toString(36).padStart(9, '0')}${'0'.repeat(24)}`;
  const id = newDatedId('res_', new Date(createdAt));
  const response = { id, formId: 'form_gone', answers: { cv: [file] }, createdAt };
  const subject = { type: 'form_response', formId: 'form_gone', formResponseId: id };
  const notification = { id: newDatedId('not_', new Date(createdAt)), ...subject, createdAt };
  const attachment = { id: file, s3Key: `workspaces/${workspaceId}/x/${file}/x`, createdAt };
  const records = { formResponse: response, notification, attachment } as const;
  const items = Object.entries(records).map(([kind, record]) => newItem(workspaceId, kind as RecordKind, record));
  await putAll(testTable(), items);
  await openWorkspace('chat', ({ attachments = [], messaging }) => {
    messaging.conversations[0].createdAt = createdAt;
    messaging.messages[0].attachments = attachments.map(({ id: each }: { id: string }) => each);
  });
}

const soon = new Date(Date.now() + 60_000).toISOString();

async function scheduleChanges(): Promise<void> {
  const body = { published: false, publishAt: soon };
  const description = { en: noise(40_000) };
  await answered('PATCH /api/v1/manage/cms-entries/chefs/chef_1', { key: adminKey(), body });
  await answered('PATCH /api/v1/manage/menu-products/prod_1', { key: adminKey(), body: { ...body, description } });
}

async function applySchedules(): Promise<void> {
  const { handler } = await import('#functions/schedules-apply/handler.ts');
  const time = new Date(Date.parse(soon) + 1).toISOString();
  await handler({ time } as ScheduledEvent, { getRemainingTimeInMillis: () => 60_000 });
  expect(await dueItems('schedule')).toEqual([]);
}

/** Erases a person, so that the rest of it is due. */
async function erasePerson(): Promise<void> {
  const room = await openRoom();
  await room.visit('crm-zubaydah');
  const answer = await room.manage('DELETE customers/cus_z?erase=true&responses=true');
  expect(answer.status).toBe(202);
  await advanceUntilDue('conversation');
}

async function removeOldRecords(): Promise<void> {
  const { handler } = await import('#functions/records-expire/handler.ts');
  Object.assign(process.env, { RESPONSE_DAYS: '1', CONVERSATION_DAYS: '1' });
  await handler({ time: new Date().toISOString() } as ScheduledEvent, { getRemainingTimeInMillis: () => 60_000 });
  delete process.env['RESPONSE_DAYS'];
  delete process.env['CONVERSATION_DAYS'];
  expect(table.calls.map(({ operation }) => operation)).toContain('TransactWriteItems');
}

/** Separate functions write keys and members. */
const adminKey = () => `admin-${kitchen.workspaceId}`;
const manage = (request: string, body?: object, headers = {}) => {
  const [method, path] = request.split(' ');
  return answered(`${method} /api/v1/manage/${path}`, { key: adminKey(), headers, ...(body && { body }) });
};
const newWebhook = async (): Promise<string> => {
  const body = { url: 'https://hooks.example.com', types: ['form.*', 'member.*'], apiKeyId: 'key_admin' };
  return (await manage('POST webhooks', body)).json.id;
};
const accessWork = {
  'access-list': {
    act: async () => {
      await manage('GET api-keys?limit=5');
      await manage('GET members');
      await manage('GET audit-events?actorId=key_admin');
    },
  },
  'events-list': {
    // It gives a new event its place.
    before: () => manage('PATCH members/mem_1', { name: String(Math.random()) }),
    act: () => answered('GET /api/v1/events', { key: adminKey() }),
  },
  'access-get': {
    before: async () => (await manage('GET audit-events?limit=1')).json.data[0].id,
    act: async (id: string) => {
      await manage('GET api-keys/key_admin');
      await manage('GET members/mem_boss');
      await manage(`GET audit-events/${id}`);
    },
  },
  'access-create': {
    act: async () => {
      await manage('POST api-keys', { name: 'Key', memberId: 'mem_boss' }, idempotencyHeaders());
      await manage('POST members', { name: 'New', email: 'new@example.com' }, idempotencyHeaders());
      await newWebhook();
    },
  },
  'access-update': {
    before: newWebhook,
    act: async (webhook: string) => {
      await manage(`PATCH webhooks/${webhook}`, { enabled: false }, idempotencyHeaders());
      await manage('PATCH api-keys/key_boss', { name: 'Renamed' }, idempotencyHeaders());
      await manage('PATCH api-keys/key_boss', { name: 'Renamed' }, idempotencyHeaders());
      await manage('PATCH members/mem_boss', { email: 'updated@example.com', active: false }, idempotencyHeaders());
      await manage('PATCH members/mem_boss', { active: true });
    },
  },
  'access-replace': {
    act: () => manage('PUT members/mem_boss', boss('replaced@example.com'), idempotencyHeaders()),
  },
  'access-key-rotate': {
    act: async () => {
      await manage('POST api-keys/key_boss/rotate', { graceSeconds: 60 }, idempotencyHeaders());
      await manage('POST api-keys/key_boss/rotate', {});
    },
  },
  'webhook-rotate': {
    before: async () => {
      const body = { url: 'https://hooks.example.com', types: ['form.*'], apiKeyId: 'key_boss' };
      return (await manage('POST webhooks', body)).json.id;
    },
    act: async (id: string) => {
      await manage(`POST webhooks/${id}/rotate`, { graceSeconds: 60 }, idempotencyHeaders());
      await manage(`POST webhooks/${id}/rotate`, {});
    },
  },
  'webhook-deliveries-list': {
    before: newWebhook,
    act: (id: string) => manage(`GET webhooks/${id}/deliveries`),
  },
  'webhook-delivery-retry': {
    before: async () => {
      const id = await newWebhook();
      return `${id}/deliveries/${(await manage(`POST webhooks/${id}/test`)).json.id}`;
    },
    act: (address: string) => manage(`POST webhooks/${address}/retry`),
  },
  'webhook-test': { before: newWebhook, act: (id: string) => manage(`POST webhooks/${id}/test`) },
  'webhook-replay': {
    before: async () => {
      const id = await newWebhook();
      await manage('PATCH members/mem_boss', { name: String(Math.random()) });
      return id;
    },
    act: (id: string) => manage(`POST webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' }),
  },
  'webhooks-deliver': {
    before: async () => {
      const receiver = await WebhookReceiver.start();
      receiver.answer = (_, response) => response.writeHead(410).end();
      const body = { url: receiver.url, types: ['member.*'], apiKeyId: 'key_admin' };
      const { id } = (await manage('POST webhooks', body)).json;
      const rename = () => manage('PATCH members/mem_boss', { name: String(Math.random()) });
      await rename();
      await sweepWebhooks();
      // What is parked becomes due, and its attempt disables the webhook again.
      await manage(`PATCH webhooks/${id}`, { enabled: true });
      await rename();
      return receiver;
    },
    act: async (receiver: WebhookReceiver) => {
      await sweepWebhooks();
      await receiver.stop();
      expect(receiver.received.length).toBeGreaterThan(1);
    },
  },
  'access-member-invite': {
    act: () => {
      mail.heal();
      return manage('POST members/mem_deputy/invite');
    },
  },
  'access-delete': {
    before: newWebhook,
    act: async (webhook: string) => {
      await manage(`DELETE webhooks/${webhook}`);
      await manage('DELETE members/mem_boss', undefined, idempotencyHeaders());
    },
  },
};

const mediaWork: Work = {
  'media-upload': {
    act: async () => {
      const { headers, body } = formBody([imagePart()]);
      await answered(`POST ${mediaAddress}`, {
        key: adminKey(),
        headers: { ...headers, ...idempotencyHeaders() },
        body,
      });
      // As a multipart upload, for images larger than an event.
      const { workspaceId } = kitchen;
      const actor = { type: 'key' as const, id: 'key_admin', name: 'Admin' };
      const ids = { callerId: 'key_admin', idempotencyId: 'key_admin', keyId: 'key_admin' };
      const caller = { kind: 'key' as const, ...ids, actor, permissions: new Set<never>() };
      const principal = { ...caller, workspaceId, member: undefined };
      await storeImage(png(3, 2, [pngChunk('teXt', Buffer.alloc(6_000_000))]), {
        principal,
        requestId: 'one',
        headers: {},
        requestIssues: [],
        tableFor: () => testTable(),
      });
    },
  },
  'media-announce': { act: () => sendToBucket(adminKey(), png()) },
  'media-confirm': {
    before: () => sendToBucket(adminKey(), png()),
    act: ({ id }: { id: string }) => answered(`POST ${mediaAddress}/${id}`, { key: adminKey() }),
  },
  'media-delete': {
    before: async () => (await sendImages(adminKey(), [imagePart()])).json,
    act: ({ id }: { id: string }) => answered(`DELETE ${mediaAddress}/${id}`, { key: adminKey() }),
  },
  'media-download': {
    before: async () => (await sendImages(adminKey(), [imagePart()])).json,
    act: async ({ url }: { url: string }) => {
      expect((await fetchImage(url)).status).toBe(200);
      expect((await fetchImage(url, {}, 'HEAD')).status).toBe(200);
    },
  },
};

const work: Work = {
  'cms-entries-list': {
    act: () => answered('GET /api/public/cms/chefs/list?limit=2', { key: kitchen.keys.chief }),
  },
  'cms-entry-get': { act: () => answered('GET /api/public/cms/chefs/chef_1', { key: kitchen.keys.chief }) },
  'cms-entry-update': {
    act: async () => {
      const related = { values: { name: { en: 'Noura' }, signature: ['prod_1'] } };
      // So large that its states are in the bucket.
      const toEntry = { values: { title: noise(40_000), chef: 'chef_2' } };
      const key = kitchen.keys.chief;
      await answered('PATCH /api/public/cms/chefs/chef_1', { key, headers: idempotencyHeaders(), body: related });
      await answered('PATCH /api/public/cms/things/thing_1', { key, body: toEntry });
    },
  },
  'menu-products-list': { act: () => answered(`GET /api/public/menu/products?apiKey=${kitchen.keys.chief}`, {}) },
  'menu-categories-list': {
    act: () => answered(`GET /api/public/menu/categories?includeProducts=true&apiKey=${kitchen.keys.chief}`, {}),
  },
  'form-get': { act: () => answered(`GET /api/public/forms/contact?apiKey=${kitchen.keys.chief}`, {}) },
  'form-submit': {
    before: sendDirectly,
    act: ({ id }: { id: string }) =>
      answered(`POST /api/public/forms/contact?apiKey=${kitchen.keys.chief}`, {
        headers: idempotencyHeaders(),
        body: { photo: id },
      }),
  },
  'attachments-upload': {
    act: async () => {
      await upload(10);
      await writeLargeFile();
    },
  },
  'attachments-announce': { act: sendDirectly },
  'asset-download': {
    before: sendDirectly,
    act: ({ s3Key }: { s3Key: string }) => answered(`GET /api/v1/connect/assets/${s3Key}`, { key: fileKey() }),
  },
  'ai-reply-stream': {
    act: async () => {
      const room = await openWorkspace('chat', (document) => {
        for (const agent of document.messaging.agents) agent.model = 'offline/retrieval-1';
      });
      table.heal();
      expect((await room.ask()).end).toMatchObject({ type: 'done' });
    },
  },
  'collections-compact': { before: makeLogLong, act: compactCollections },
  'attachments-sweep': {
    before: async () => {
      await sendDirectly();
      const body = { files: [{ name: 'never.pdf', type: 'application/pdf', size: 5 }] };
      await answered('POST /api/v1/connect/attachments/announce', { key: fileKey(), body });
      const { json } = await sendImages(adminKey(), [imagePart()]);
      await answered(`DELETE ${mediaAddress}/${json.id}`, { key: adminKey() });
    },
    act: sweepAttachments,
  },
  'records-expire': {
    before: async () => {
      await storeOldRecords();
      await erasePerson();
    },
    act: removeOldRecords,
  },
  'schedules-apply': { before: scheduleChanges, act: applySchedules },
  'form-response-deliver': {
    before: async () => {
      await deliverJobs([]);
      const recipients = ['owner@example.com', 'refused@example.com', 'later@example.com'];
      return storeResponse(kitchen.workspaceId, { message: 'Hello' }, { formId: 'form_1', recipients });
    },
    act: async (jobs: Awaited<ReturnType<typeof storeResponse>>) => {
      mail.plan(({ to: [to] }) => {
        if (to === 'owner@example.com') return undefined;
        const type = to === 'refused@example.com' ? 'BadRequestException' : 'TooManyRequestsException';
        return { kind: 'error', type, status: 400 };
      });
      await deliverJobs(jobs);
      await sweep();
      expect(mail.mails).not.toEqual([]);
    },
  },
  ...accessWork,
  ...conversationWork,
  ...manageWork,
  ...sessionWork,
  ...mediaWork,
};

it('The test covers every function that uses the table, the bucket or mail', () => {
  expect(Object.keys(work).sort()).toEqual([...users.keys()].sort());
});

it.each(Object.keys(work))('The role of %s allows every call that the function makes', async (name) => {
  const { before, act } = work[name] as (typeof work)[string];
  const given = await before?.();
  await table.forget();
  bucket.heal();
  await act(given as never);
  const calls = [...table.calls.flatMap(tableRights), ...bucket.calls.map(bucketRight)];
  expect(table.calls).not.toEqual([]);
  if (users.get(name)?.some((use) => use.startsWith('files:') && use !== 'files:link'))
    expect(bucket.calls).not.toEqual([]);
  const role = rolesByName.get(name) ?? [];
  expect(calls.filter((call) => !isAllowed(role, call))).toEqual([]);
});

describe('A role', () => {
  const names = [...rolesByName.keys()];
  const may = (name: string, action: string, resource: string, context = {}) =>
    isAllowed(rolesByName.get(name) ?? [], { action, resource, context });
  const mayChange = (name: string, action: string, partition: string) =>
    may(name, `dynamodb:${action}`, 'WorkspaceTable', { 'dynamodb:LeadingKeys': [partition] });

  it('allows changes of workspaces only to functions that change the workspace', () => {
    const changing = names.filter((name) => mayChange(name, 'PutItem', 'WORKSPACES'));
    expect(changing.sort()).toEqual(['manage-restore', 'schema-update']);
  });

  /** The functions that declare one of these uses. */
  const usersOf = (...uses: readonly Use[]) =>
    declared.endpoints
      .filter(({ endpoint }) => uses.some((use) => endpoint.uses.includes(use)))
      .map(({ name }) => name);
  const changers = (partition: string) => {
    const changes = ['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'];
    return names.filter((name) => changes.some((action) => mayChange(name, action, partition)));
  };

  it.each(['KEY#0123abcd', 'ACCESS#ws_1#apiKey', 'ACCESS#ws_1#member#slug', 'ACCESS#ws_1#managers'])(
    'the role of a function that does not manage access changes nothing in %s',
    (partition) => {
      expect(changers(partition)).toEqual(usersOf('table:access'));
    },
  );

  it.each(['ACCESS#ws_1#member', 'ADDRESS#0123abcd'])('changes %s to manage access or to sign in only', (partition) => {
    expect(changers(partition)).toEqual(usersOf('table:access', 'table:sign-in'));
  });

  it('allows changes of sessions only to the functions of sessions', () => {
    expect(changers('SESSION#0123abcd')).toEqual(usersOf('table:sessions'));
    expect(usersOf('table:sessions')).toEqual(['profile-get', 'session-callback', 'session-end', 'session-switch']);
  });

  it('allows reads of sessions only to functions that accept them', () => {
    const mayRead = (name: string, action: string) =>
      may(name, `dynamodb:${action}`, 'WorkspaceTable', { 'dynamodb:LeadingKeys': ['SESSION#0123abcd'] });
    const readers = names.filter((name) => ['BatchGetItem', 'Query'].some((action) => mayRead(name, action)));
    const takers = declared.endpoints.filter(({ endpoint }) => callersOf(endpoint).includes('session'));
    expect(readers.toSorted()).toEqual(takers.map(({ name }) => name));
    for (const name of ['form-submit', 'collections-compact', 'session-callback']) expect(readers).not.toContain(name);
  });

  it('allows new visitors’ tokens only to the function that opens sessions, without changes of keys', () => {
    const changes = ['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem'];
    const usersOf = (action: string) => names.filter((name) => mayChange(name, action, 'TOKEN#0123abcd'));
    expect(usersOf('DeleteItem').sort()).toEqual(['manage-delete', 'records-expire', 'visitor-session-open']);
    const makers = ['BatchWriteItem', 'PutItem', 'UpdateItem'].flatMap(usersOf);
    expect(new Set(makers)).toEqual(new Set(['visitor-session-open']));
    for (const partition of ['KEY#0123abcd', 'ACCESS#ws_1#apiKey', 'WORKSPACES']) {
      expect(changes.filter((action) => mayChange('visitor-session-open', action, partition))).toEqual([]);
    }
    // The function that stores an announced file also records the visitor who has sent it.
    expect(mayChange('asset-download', 'PutItem', 'FILES#ws_1#conv_1')).toBe(true);
    expect(mayChange('cms-entries-list', 'PutItem', 'FILES#ws_1#conv_1')).toBe(false);
  });

  it('treats a database called "member" like any other', () => {
    expect(mayChange('cms-entry-update', 'PutItem', 'W#ws_1#cms#member')).toBe(true);
  });

  it.each([
    ['form-submit', 'DeleteItem', 'W#ws_1#formResponse'],
    ['collections-compact', 'DeleteItem', 'W#ws_1#cms#chefs'],
    ['asset-download', 'PutItem', 'W#ws_1#formResponse'],
    ['asset-download', 'UpdateItem', 'W#ws_1#cms#chefs'],
    ['attachments-sweep', 'DeleteItem', 'W#ws_1#message'],
    ['records-expire', 'DeleteItem', 'W#ws_1#cms#chefs'],
    ['records-expire', 'DeleteItem', 'W#ws_1#form'],
    ['records-expire', 'DeleteItem', 'W#ws_1#customer'],
    ['media-upload', 'DeleteItem', 'W#ws_1#menuProduct'],
    ['media-delete', 'DeleteItem', 'W#ws_1#cms#chefs'],
    ['media-download', 'PutItem', 'MEDIA#img_1'],
    ['conversation-read', 'DeleteItem', 'W#ws_1#conversations'],
    ['form-response-deliver', 'DeleteItem', 'W#ws_1#formResponse'],
    ['form-response-deliver', 'DeleteItem', 'DUE#upload#1'],
    ['collections-compact', 'DeleteItem', 'DUE#mail#1'],
    ['schedules-apply', 'DeleteItem', 'DUE#mail#1'],
    ['schedules-apply', 'PutItem', 'W#ws_1#menuCategory'],
    ['schedules-apply', 'PutItem', 'W#ws_1#cmsModel'],
  ])('the role of %s does not allow %s in %s', (name, action, partition) => {
    expect(mayChange(name, action, partition)).toBe(false);
  });

  it('the role of a reading function allows no write', () => {
    for (const name of ['cms-entries-list', 'menu-products-list', 'form-get']) {
      expect(mayChange(name, 'PutItem', 'W#ws_1#cms#chefs')).toBe(false);
    }
  });

  it('allows large states of records to the functions that write them or show versions, and to them alone', () => {
    const object = 'WorkspaceBucket/history/ws_1/a';
    const who = (action: string) => names.filter((name) => may(name, `s3:${action}`, object)).sort();
    const writers = ['changes', 'create', 'delete', 'replace', 'restore', 'update'].map((verb) => `manage-${verb}`);
    const ofSchema = ['create', 'delete', 'replace', 'update'].map((verb) => `schema-${verb}`);
    expect(who('PutObject')).toEqual(['cms-entry-update', ...writers, 'schedules-apply', ...ofSchema]);
    expect(who('GetObject')).toEqual(['manage-get', 'manage-list', 'manage-restore']);
    expect(who('DeleteObject')).toEqual([]);
    for (const name of who('GetObject'))
      expect(may(name, 's3:GetObject', 'WorkspaceBucket/workspaces/ws_1/a')).toBe(false);
  });

  it('allows the bucket only below workspaces/, and writes only to uploads', () => {
    const writers = names.filter((name) => may(name, 's3:PutObject', 'WorkspaceBucket/workspaces/ws_1/a'));
    expect(writers).toEqual([
      'attachments-announce',
      'attachments-upload',
      'media-announce',
      'media-confirm',
      'media-upload',
    ]);
    expect(names.filter((name) => may(name, 's3:GetObject', 'WorkspaceBucket/elsewhere'))).toEqual([]);
  });

  it('allows no call of the table whose partitions IAM does not know', () => {
    const operations = ['BatchGetItem', 'BatchWriteItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query'];
    for (const operation of [...operations, 'UpdateItem', 'Scan', 'GetItem']) {
      expect(names.filter((name) => may(name, `dynamodb:${operation}`, 'WorkspaceTable'))).toEqual([]);
    }
  });

  it('lists the bucket only below workspaces/ or history/, and lets S3 answer 404 for a file', () => {
    const mayList = (name: string, context = {}) => may(name, 's3:ListBucket', 'WorkspaceBucket', context);
    const listers = names.filter((name) => mayList(name));
    expect(listers).toContain('asset-download');
    for (const prefix of ['', 'workspaces', 'backups/', 'other/workspaces/']) {
      expect([prefix, listers.filter((name) => mayList(name, { 's3:prefix': prefix }))]).toEqual([prefix, []]);
    }
    const ofHistory = ['manage-get', 'manage-list', 'manage-restore'];
    const below = (prefix: string) => listers.filter((name) => mayList(name, { 's3:prefix': prefix })).sort();
    expect(below('history/ws_1/')).toEqual(ofHistory);
    expect(below('workspaces/ws_1/')).toEqual(listers.filter((name) => !ofHistory.includes(name)).sort());
  });

  it('the role of the function for public images allows reads of these only', () => {
    const mayRead = (partition: string) =>
      may('media-download', 'dynamodb:BatchGetItem', 'WorkspaceTable', { 'dynamodb:LeadingKeys': [partition] });
    expect(mayRead('MEDIA#img_1')).toBe(true);
    for (const partition of ['DUE#image#1', 'W#ws_1#menuProduct', 'KEY#0123', 'ACCESS#ws_1#member']) {
      expect([partition, mayRead(partition)]).toEqual([partition, false]);
    }
    expect(may('media-download', 'dynamodb:Query', 'WorkspaceTable')).toBe(false);
    const object = (key: string) => may('media-download', 's3:GetObject', `WorkspaceBucket/workspaces/${key}`);
    expect([object('ws_1/media/img_1'), object('ws_1/drive/messaging/2026-01/att_1/a')]).toEqual([true, false]);
  });

  const ses = 'arn:AWS::Partition:ses:AWS::Region:AWS::AccountId';

  it.each([
    [`${ses}:identity/forms@mail.example.com`],
    [`${ses}:identity/mail.example.com`],
    [`${ses}:identity/example.com`],
    [`${ses}:configuration-set/my-default`],
  ])('the role of the function that mails allows SendEmail on %s, which SES may ask for', (resource) => {
    expect(may('form-response-deliver', 'ses:SendEmail', resource, sender)).toBe(true);
    const forged = { 'ses:FromAddress': 'ceo@mail.example.com' };
    expect(may('form-response-deliver', 'ses:SendEmail', resource, forged)).toBe(false);
  });

  it('allows SendEmail on no other identity, and to no other function', () => {
    expect(may('form-response-deliver', 'ses:SendEmail', `${ses}:identity/com`, sender)).toBe(false);
    const identity = `${ses}:identity/example.com`;
    expect(names.filter((name) => may(name, 'ses:SendEmail', identity, sender))).toEqual(['form-response-deliver']);
  });

  it('allows each function the log of requests or that of background work, and no other', () => {
    const all = resourcesOf(service, 'AWS::Logs::LogGroup').map(([id]) => id);
    for (const [name, { fn }] of functionsByName(service)) {
      const { LogGroup } = fn.Properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      expect([name, all.filter((log) => may(name, 'logs:PutLogEvents', log))]).toEqual([name, [LogGroup.Ref]]);
    }
  });
});
