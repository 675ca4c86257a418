import { randomUUID } from 'node:crypto';
import { defaultPermissions } from '#lib/domain/access/permission.ts';
import type { Document } from './world.ts';

/** A workspace id that no other test has. */
export const newWorkspaceId = (): string => `ws_${randomUUID().replaceAll('-', '')}`;

/** The secret of the key `key_site` of a workspace that `everyKind` made. */
export const siteSecret = (workspaceId: string): string => `site-secret-of-${workspaceId}`;
/** The secret of its key `key_lina`, which belongs to the member `mem_lina`. */
export const linaSecret = (workspaceId: string): string => `lina-secret-of-${workspaceId}`;

const at = (day: number, hour = 9): string => new Date(Date.UTC(2026, 0, day, hour)).toISOString();

/** A document with records of every kind and values of every type, and with all time stamps. */
export function everyKind(workspaceId: string = newWorkspaceId()): Document {
  return structuredClone({
    version: 1,
    workspace: { id: workspaceId, name: 'Saffron', languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
    members: [
      { id: 'mem_lina', name: 'Lina', email: 'lina@example.com', permissions: ['messaging:conversation:engage'] },
      { id: 'mem_omar', name: 'Omar', active: false, permissions: [] },
    ],
    apiKeys: [
      { id: 'key_site', name: 'Site', secret: siteSecret(workspaceId) },
      { id: 'key_lina', name: 'Desk', secret: linaSecret(workspaceId), memberId: 'mem_lina', permissions: reading },
      { id: 'key_old', name: 'Old', secret: `old-secret-of-${workspaceId}`, expiresAt: at(1), revokedAt: at(2) },
    ],
    cms: { models: models(), entries: entries() },
    menu: menu(),
    forms: forms(),
    messaging: messaging(),
    attachments: [
      {
        id: 'att_1',
        name: 'قائمة.pdf',
        s3Key: `workspaces/${workspaceId}/drive/messaging/2026-01/att_1/file.pdf`,
        type: 'application/pdf',
        size: 26_214_400,
        createdAt: at(6),
      },
    ],
    formResponses: [
      { id: 'res_1', formId: 'form_1', answers: { email: 'a@b.co', size: ['s'] }, meta: { _ip: 1 }, createdAt: at(7) },
    ],
    notifications: [
      {
        id: 'not_1',
        type: 'form_response',
        formId: 'form_1',
        formResponseId: 'res_1',
        readAt: at(9),
        createdAt: at(8),
      },
    ],
  });
}

/** The same document, but `key_site` also sees drafts, so lists have every entry. */
export function withDraftsShown(document: Document): Document {
  document.apiKeys[0].permissions = [...defaultPermissions, 'cms:entry:read-unpublished'];
  return document;
}

const reading = ['cms:entry:read', 'menu:product:read', 'messaging:conversation:engage'];

const image = { url: '/a.png', id: 'img_1', width: 640, alt: { ar: 'صورة', en: 'Picture' }, height: null };

const models = () => [
  {
    id: 'dishes',
    name: { en: 'Dishes', ar: 'أطباق' },
    fields: [
      { key: 'title', name: { en: 'Title' }, type: 'text', localized: true, required: true },
      { key: 'rich', name: { en: 'Rich' }, type: 'richText', localized: true },
      { key: 'note', name: { en: 'Note' }, type: 'longText', hidden: true },
      { key: 'amount', name: { en: 'Amount' }, type: 'number' },
      { key: 'hot', name: { en: 'Hot' }, type: 'boolean' },
      { key: 'day', name: { en: 'Day' }, type: 'date' },
      { key: 'moment', name: { en: 'Moment' }, type: 'datetime' },
      { key: 'size', name: { en: 'Size' }, type: 'select', options: ['s', 'm'].map((value) => ({ value, label: {} })) },
      {
        key: 'tags',
        name: { en: 'Tags' },
        type: 'multiSelect',
        options: ['a', 'b'].map((value) => ({ value, label: {} })),
      },
      { key: 'data', name: { en: 'Data' }, type: 'json' },
      { key: 'picture', name: { en: 'Picture' }, type: 'media' },
      { key: 'pictures', name: { en: 'Pictures' }, type: 'media', many: true },
      { key: 'next', name: { en: 'Next' }, type: 'relation', relation: { to: 'cms:dishes' } },
      { key: 'others', name: { en: 'Others' }, type: 'relation', relation: { to: 'cms:dishes', many: true } },
      { key: 'products', name: { en: 'Products' }, type: 'relation', relation: { to: 'menu:product', many: true } },
    ],
  },
  { id: 'empty', name: { en: 'Empty' }, fields: [] },
];

const full = {
  title: { ar: 'كبسة', en: 'Kabsa' },
  rich: { en: '<p>"\\\u2028</p>' },
  note: 'hidden',
  amount: -1.5e-7,
  hot: false,
  day: '2026-02-28',
  moment: '2026-02-28T10:00:00+03:00',
  size: 's',
  tags: ['b', 'a'],
  data: { z: [1, null, { y: '"' }], a: 'x' },
  picture: image,
  pictures: [image, { id: 'img_2', url: '/b.png' }],
  next: 'dish_2',
  others: ['dish_3', 'dish_1'],
  products: ['prod_1'],
};

const entries = () => [
  ...[1, 2, 3, 4, 5].map((number) => ({
    id: `dish_${number}`,
    modelId: 'dishes',
    published: number !== 4,
    createdAt: at(number),
    updatedAt: at(number, 12),
    values: number === 1 ? full : { title: { en: `Dish ${number}` }, products: number === 2 ? ['prod_2'] : [] },
  })),
];

const menu = () => ({
  categories: [
    { id: 'cat_1', slug: 'mains', name: { en: 'Mains' }, thumbnail: image, createdAt: at(1), updatedAt: at(1) },
    { id: 'cat_2', slug: 'أطباق', name: { en: 'Drinks' }, createdAt: at(2), updatedAt: at(2) },
  ],
  products: [1, 2, 3].map((number) => ({
    id: `prod_${number}`,
    slug: `product-${number}`,
    name: { en: `Product ${number}`, ar: `منتج ${number}` },
    priceOptions: [{ id: 'po_1', price: 72.5, name: { en: 'Family' } }],
    suggestions: ['prod_1'],
    images: [image],
    categoryId: number === 3 ? 'cat_2' : 'cat_1',
    createdAt: at(number),
    updatedAt: at(number, 12),
  })),
});

const forms = () =>
  [1, 2].map((number) => ({
    id: `form_${number}`,
    slug: `form-${number}`,
    title: { en: `Form ${number}` },
    notifications: { emails: ['owner@example.com'] },
    fields: [
      { id: 'ff_1', ref: 'email', title: { en: 'Email' }, type: 'EMAIL', order: 1, validations: { required: true } },
    ],
  }));

const messaging = () => ({
  channels: [
    { id: 'ch_1', type: 'website', identifier: 'https://www.Saffron.example/' },
    { id: 'ch_2', type: 'whatsapp', identifier: '+966500000000' },
  ],
  customers: [{ id: 'cus_1', externalId: 'crm-77', name: 'Huda', email: 'huda@example.com', phone: null }],
  agents: [{ id: 'agent_1', name: 'Assistant', model: 'offline/retrieval-1', instructions: 'Be brief.' }],
  conversations: [
    { id: 'conv_1', kind: 'main', channelId: 'ch_1', customerId: 'cus_1', language: 'ar', status: 'pending' },
    { id: 'conv_2', kind: 'order', parentId: 'conv_1' },
  ],
  messages: [
    {
      id: 'msg_1',
      conversationId: 'conv_1',
      senderType: 'customer',
      senderId: 'cus_1',
      text: 'Hi',
      attachments: ['att_1'],
      createdAt: at(3),
    },
    {
      id: 'msg_2',
      conversationId: 'conv_1',
      senderType: 'agent',
      senderId: 'agent_1',
      text: 'Hello',
      createdAt: at(4),
      inReplyTo: 'msg_1',
      onBehalfOf: 'cus_1',
      model: 'offline/retrieval-1',
      citations: [{ id: 'prod_1' }],
    },
    { id: 'msg_3', conversationId: 'conv_2', senderType: 'system', senderId: null, text: '', createdAt: at(5) },
  ],
});
