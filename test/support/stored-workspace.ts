import { readFile } from 'node:fs/promises';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { Permission } from '#lib/domain/access/permission.ts';
import { managed, managedKinds } from '#lib/kinds/kinds.ts';
import type { Item } from '#lib/table/schema.ts';
import { type Answer, type Call, call } from './call.ts';
import { everyKind, linaSecret, siteSecret } from './every-kind.ts';
import { png } from './image-files.ts';
import { imagePart, upload } from './media.ts';
import { allItems, openOwnTable, restoreItems } from './own-table.ts';
import { signedInBy, signIn } from './signed-in.ts';
import { type Document, load } from './world.ts';

const workspaceId = 'ws_stored';
const managerSecret = 'manager-secret-of-ws-stored';
const site = siteSecret(workspaceId);
const desk = linaSecret(workspaceId);
const talks = '/api/v1/connect/conversations';

/** A workspace as a version of the service has stored it. */
export interface StoredWorkspace {
  readonly writtenAt: string;
  /** What the table has only the hashes of. */
  readonly secrets: { readonly cookie: string; readonly visitor: string; readonly conversationId: string };
  /** Bytes are objects with their Base64. */
  readonly items: readonly Item[];
  /** What that version answers, by request. */
  readonly answers: Readonly<Record<string, SeenAnswer>>;
}

interface SeenAnswer {
  readonly status: number;
  readonly etag?: string | undefined;
  readonly text: string;
}

type Secrets = StoredWorkspace['secrets'];

/** Records of every kind. The keys have all permissions, so that every route can be asked. */
function document(): Document {
  const whole = everyKind(workspaceId);
  whole.members[0].permissions = Permission.options;
  whole.apiKeys[1].permissions = Permission.options;
  whole.apiKeys.push({ id: 'key_manager', name: 'All', secret: managerSecret, permissions: Permission.options });
  return whole;
}

/** Writes a workspace to a table of the test's own: by an import, and by requests that write items of other kinds. */
export async function writeWorkspace(): Promise<StoredWorkspace> {
  const writtenAt = new Date().toISOString();
  await openOwnTable();
  await load(document());
  for (const [request, options] of repeatable) await mustSucceed(call(request, options));
  for (const [request, options] of writes) await mustSucceed(call(request, options));
  await mustSucceed(upload(managerSecret, [imagePart(png())]));
  const visit = { channelIdentifier: 'saffron.example', customer: { externalId: 'crm-78', name: 'Reem' } };
  const visitor = await mustSucceed(call('POST /api/v1/connect/visitor-sessions', { key: desk, body: visit }));
  const { cookie } = await signIn({ workspaceId, address: 'lina@example.com' });
  const secrets = { cookie, visitor: visitor.json.token, conversationId: visitor.json.conversationId };
  const items = encoded(await allItems()).sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
  return { writtenAt, secrets, items, answers: await answersOf(secrets) };
}

/** Puts the items into a table of the test's own, and asks everything that can be asked about them. */
export async function readWorkspace({ items, secrets }: Pick<StoredWorkspace, 'items' | 'secrets'>) {
  await openOwnTable();
  await restoreItems(decoded(items));
  return answersOf(secrets);
}

async function answersOf(secrets: Secrets): Promise<Record<string, SeenAnswer>> {
  const seen: [string, SeenAnswer][] = [];
  for (const [request, options] of [...reads(secrets), ...repeatable]) {
    const { status, headers, text } = await call(request, options);
    seen.push([request, { status, etag: headers['etag'], text }]);
  }
  return Object.fromEntries(seen);
}

async function mustSucceed(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`The answer is ${answer.status} ${answer.text}`);
  return answer;
}

const manage = (request: string, body?: object): [string, Call] => {
  const [method, path] = request.split(' ');
  return [`${method} /api/v1/manage/${path}`, { key: managerSecret, ...(body && { body }) }];
};

/** Each is answered a second time from its stored answer. */
const repeatable: readonly [string, Call][] = [
  [
    'PATCH /api/public/cms/dishes/dish_2',
    { key: managerSecret, body: { values: { amount: 7 } }, headers: { 'idempotency-key': 'a' } },
  ],
  [
    `POST /api/public/forms/form-1?apiKey=${site}`,
    { body: { email: 'guest@example.com' }, headers: { 'idempotency-key': 'b' } },
  ],
  [
    `POST ${talks}/conv_1/messages`,
    { key: desk, body: { senderType: 'customer', text: 'مرحبا' }, headers: { 'idempotency-key': 'c' } },
  ],
];

const writes: readonly [string, Call][] = [
  [`POST ${talks}`, { key: desk, body: { parentId: 'conv_1', kind: 'topic' } }],
  [`POST ${talks}/conv_1/read`, { key: desk, body: { messageId: 'msg_2' } }],
  [`PATCH ${talks}/conv_2`, { key: desk, body: { assignee: { type: 'member', id: 'mem_lina' } } }],
  [
    'POST /api/v1/connect/attachments/announce',
    { key: desk, body: { files: [{ name: 'menu.pdf', type: 'application/pdf', size: 5 }] } },
  ],
  [
    'POST /api/v1/connect/ai-stream',
    { key: desk, body: { conversationId: 'conv_1', agentId: 'agent_1', lastMessageId: 'msg_1' } },
  ],
  manage('POST customers', { id: 'cus_new', name: 'Noor', phone: '+966500000001' }),
  manage('PATCH menu-products/prod_1', { soldout: true }),
  manage('DELETE forms/form_2'),
  manage('PATCH workspace', { name: 'Saffron House' }),
  manage('POST api-keys', { id: 'key_made', name: 'Made' }),
  manage('POST api-keys/key_old/rotate', { graceSeconds: 600 }),
];

function reads({ cookie, visitor, conversationId }: Secrets): [string, Call][] {
  const publicly = [
    'GET /api/public/cms/dishes/list?maxDepth=3&includeProducts=true',
    'GET /api/public/cms/dishes/list?filters[amount][$gte]=0&sort=-amount',
    'GET /api/public/cms/dishes/list?search=kabsa',
    'GET /api/public/cms/dishes/dish_1?maxDepth=2&includeProducts=true',
    `GET /api/public/menu/products?apiKey=${site}`,
    `GET /api/public/menu/products?search=product&sortBy=name&apiKey=${site}`,
    `GET /api/public/menu/categories?includeProducts=true&apiKey=${site}`,
    `GET /api/public/forms/form-1?apiKey=${site}`,
  ];
  const connected = [talks, `${talks}/conv_1`, `${talks}/conv_1/messages`, `${talks}/conv_2/messages`];
  const kinds = managedKinds.map((kind) => managed(kind).path).filter((path) => path !== 'workspace');
  const { headers } = signedInBy(cookie);
  return [
    ...publicly.map((request): [string, Call] => [request, { key: site }]),
    ...connected.map((path): [string, Call] => [`GET ${path}`, { key: desk }]),
    ...kinds.map((path) => manage(`GET ${path}${path === 'cms-entries' ? '?modelId=dishes' : ''}`)),
    manage('GET workspace'),
    ['GET /api/v1/session/memberships', { headers }],
    ['GET /api/v1/profile', { headers }],
    [`GET ${talks}/${conversationId}/messages`, { key: visitor }],
  ];
}

const encoded = (items: readonly Item[]): Item[] =>
  items.map((item) => JSON.parse(JSON.stringify(item, (name, value) => asBase64(item[name]) ?? value)));

/** Only attributes have bytes, no members of them. */
const asBase64 = (value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : undefined;

function decoded(items: readonly Item[]): Item[] {
  return JSON.parse(JSON.stringify(items), (_, value) =>
    typeof value?.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value,
  );
}

/** The items with the content of their compressed attributes, without what differs each time that they are written. */
export const storedForm = ({ items, writtenAt }: StoredWorkspace): string[] => [
  ...new Set(items.map((item) => withoutChance(JSON.stringify(readable(item)), writtenAt)).sort()),
];

/** The answers, without what differs each time that the workspace is written. */
export const visibleForm = (answers: StoredWorkspace['answers'], { writtenAt }: StoredWorkspace) =>
  Object.fromEntries(
    Object.entries(answers).map(([request, { status, text }]) => {
      const seen = withoutChance(JSON.stringify(readable(JSON.parse(text))), writtenAt);
      // Ids of chance decide the order of some lists.
      return [withoutChance(request, writtenAt), { status, lines: seen.split(/(?<=\}),(?=\{)/).sort() }];
    }),
  );

const contentOf = (bytes: Buffer): string =>
  (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : inflateRawSync(bytes)).toString();

/** With members in order. */
function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const { base64 } = value as { base64?: string };
  if (typeof base64 === 'string') return { content: contentOf(Buffer.from(base64, 'base64')) };
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, readable(member)]));
}

/** @param since times of its hour and later are those of the writes */
const withoutChance = (text: string, since: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time >= since.slice(0, 13) ? 'NOW' : time))
    .replaceAll(/(\d{4}-\d\d-\d\d)(?:T\d\d\b)?/g, (text, day) => (day >= since.slice(0, 10) ? 'TODAY' : text))
    .replaceAll(/(?<=\/)\d{4}-\d\d(?=\/)/g, 'MONTH')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/(?<=[a-z]_)(?:t?0[\da-z]{20,}|[\da-f]{32})/g, 'ID')
    .replaceAll(/\b0[\da-z]{20}\b/g, 'ID')
    .replaceAll(/[\da-f]{40,}/g, 'HASH')
    .replaceAll(/(?<="hash":")[\w-]{16}/g, 'HASH')
    .replaceAll(/(?<=\.)[\da-f]{16}(?=")/g, 'HASH')
    .replaceAll(/(?<=["#])[\w-]{22}[\da-f]{8}(?=\\?")/g, 'PART')
    .replaceAll(/(?<=")0[\da-z]{8}[\da-f]{4}(?=\\?")/g, 'REVISION')
    .replaceAll(/\b\d{13}\.[\da-z]+/g, 'EPOCH')
    .replaceAll(/\b\d{10}(?:\d{3})?\b/g, 'SECONDS')
    .replaceAll(/(?<=DUE#\w+#|#references#.*"sk":")\d/g, 'SLOT');

export const readStored = async (file: string | URL): Promise<StoredWorkspace> =>
  JSON.parse(await readFile(file, 'utf8'));

/** One item and one answer on a line, so that a difference can be read. */
export function storedText({ items, answers, ...rest }: StoredWorkspace): string {
  const lines = (values: readonly string[]) => `\n${values.join(',\n')}\n`;
  const seen = Object.entries(answers).map(
    ([request, answer]) => `${JSON.stringify(request)}: ${JSON.stringify(answer)}`,
  );
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head}, "items": [${lines(items.map((item) => JSON.stringify(item)))}], "answers": {${lines(seen)}}}\n`;
}
