import { randomUUID } from 'node:crypto';
import { type Document, openWorkspace } from './world.ts';

/**
 * A workspace for tests, in two languages. All kitchens have the same ids and slugs. Each has a unique canary in its
 * texts, so that a test notices data of one kitchen in an answer of another.
 */
export interface Kitchen {
  readonly workspaceId: string;
  /** The canary occurs in every text of the workspace and in no other workspace. */
  readonly canary: string;
  /** Secrets by the permissions of their keys. */
  readonly keys: {
    readonly reader: string;
    /** Also sees unpublished entries. */
    readonly editor: string;
    /** Has the permissions of `editor`, and also sees and writes hidden fields and unpublished products. */
    readonly chief: string;
    /** Reads entries, but no products. */
    readonly cmsOnly: string;
    readonly powerless: string;
    readonly expired: string;
    readonly revoked: string;
    /** Keys of an active member and of an inactive one. */
    readonly member: string;
    readonly formerMember: string;
  };
  readonly document: Document;
}

const reading = [
  'cms:entry:read',
  'menu:product:read',
  'menu:category:read',
  'forms:form:read',
  'forms:response:create',
];

/** Imports a new kitchen; `change` may first alter its document. */
export async function openKitchen(change: (document: Document) => void = () => undefined): Promise<Kitchen> {
  const workspaceId = `ws_${randomUUID().replaceAll('-', '')}`;
  const canary = `canary-${randomUUID()}`;
  const secret = (name: string) => `${name}-${workspaceId}`;
  const document = kitchenDocument(workspaceId, canary, secret);
  change(document);
  await openWorkspace(document);
  return {
    workspaceId,
    canary,
    document,
    keys: {
      reader: secret('reader'),
      editor: secret('editor'),
      chief: secret('chief'),
      cmsOnly: secret('cmsOnly'),
      powerless: secret('powerless'),
      expired: secret('expired'),
      revoked: secret('revoked'),
      member: secret('member'),
      formerMember: secret('formerMember'),
    },
  };
}

function kitchenDocument(workspaceId: string, canary: string, secret: (name: string) => string): Document {
  const text = (en: string, ar: string) => ({ en: `${en} ${canary}`, ar: `${ar} ${canary}` });
  const key = (name: string, permissions: readonly string[], rest: object = {}) => ({
    id: `key_${name}`,
    name,
    secret: secret(name),
    permissions,
    ...rest,
  });
  const editing = [...reading, 'cms:entry:update', 'cms:entry:read-unpublished'];
  return {
    version: 1,
    workspace: { id: workspaceId, name: canary, languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
    members: [
      { id: 'mem_1', name: 'Lina', active: true, permissions: ['messaging:conversation:engage'] },
      { id: 'mem_2', name: 'Omar', active: false, permissions: ['messaging:conversation:engage'] },
    ],
    apiKeys: [
      key('reader', reading),
      key('editor', editing),
      key('chief', [...editing, 'cms:entry:read-hidden', 'menu:product:read-unpublished']),
      key('cmsOnly', ['cms:entry:read']),
      key('powerless', []),
      key('expired', reading, { expiresAt: '2026-01-01T00:00:00.000Z' }),
      key('revoked', reading, { revokedAt: '2026-01-01T00:00:00.000Z' }),
      key('member', reading, { memberId: 'mem_1' }),
      key('formerMember', reading, { memberId: 'mem_2' }),
    ],
    cms: { models: models(), entries: entries(text, canary) },
    menu: menu(text),
    forms: [],
  };
}

const models = () => [
  {
    id: 'chefs',
    name: { en: 'Chefs' },
    fields: [
      { key: 'name', name: { en: 'Name' }, type: 'text', localized: true, required: true },
      { key: 'bio', name: { en: 'Bio' }, type: 'longText', localized: true },
      { key: 'phone', name: { en: 'Phone' }, type: 'phone', hidden: true },
      { key: 'joined', name: { en: 'Joined' }, type: 'date' },
      { key: 'mentor', name: { en: 'Mentor' }, type: 'relation', relation: { to: 'cms:chefs', many: false } },
      { key: 'friends', name: { en: 'Friends' }, type: 'relation', relation: { to: 'cms:chefs', many: true } },
      { key: 'signature', name: { en: 'Dishes' }, type: 'relation', relation: { to: 'menu:product', many: true } },
      { key: 'likes', name: { en: 'Likes' }, type: 'relation', relation: { to: 'cms:things', many: false } },
    ],
  },
  {
    id: 'things',
    name: { en: 'Things' },
    fields: [
      { key: 'title', name: { en: 'Title' }, type: 'text', required: true },
      { key: 'long', name: { en: 'Long' }, type: 'longText' },
      { key: 'rich', name: { en: 'Rich' }, type: 'richText', localized: true },
      { key: 'amount', name: { en: 'Amount' }, type: 'number' },
      { key: 'active', name: { en: 'Active' }, type: 'boolean' },
      { key: 'day', name: { en: 'Day' }, type: 'date' },
      { key: 'moment', name: { en: 'Moment' }, type: 'datetime' },
      { key: 'email', name: { en: 'Email' }, type: 'email' },
      { key: 'url', name: { en: 'Url' }, type: 'url' },
      { key: 'phone', name: { en: 'Phone' }, type: 'phone' },
      {
        key: 'size',
        name: { en: 'Size' },
        type: 'select',
        options: [
          { value: 's', label: {} },
          { value: 'm', label: {} },
        ],
      },
      {
        key: 'tags',
        name: { en: 'Tags' },
        type: 'multiSelect',
        options: [
          { value: 'hot', label: {} },
          { value: 'new', label: {} },
        ],
      },
      { key: 'data', name: { en: 'Data' }, type: 'json' },
      { key: 'picture', name: { en: 'Picture' }, type: 'media' },
      { key: 'pictures', name: { en: 'Pictures' }, type: 'media', many: true },
      { key: 'chef', name: { en: 'Chef' }, type: 'relation', relation: { to: 'cms:chefs', many: false } },
      { key: 'secret', name: { en: 'Secret' }, type: 'text', hidden: true },
    ],
  },
];

type Text = (en: string, ar: string) => object;

/** Newest first: chef_5, chef_4, chef_3, chef_2, chef_1. The mentors form a chain to chef_1, the friends a circle. */
const entries = (text: Text, canary: string) => [
  ...[1, 2, 3, 4, 5].map((number) => ({
    id: `chef_${number}`,
    modelId: 'chefs',
    published: number !== 4,
    createdAt: `2026-01-0${number}T09:00:00.000Z`,
    updatedAt: `2026-02-0${number}T09:00:00.000Z`,
    values: {
      name: text(`Chef ${number}`, `الطاهي ${number}`),
      phone: `+96650000000${number}`,
      mentor: number > 1 ? `chef_${number - 1}` : null,
      friends: [`chef_${(number % 5) + 1}`, 'chef_gone'],
      signature: number === 5 ? ['prod_1', 'prod_2', 'prod_gone'] : [],
      likes: number === 1 ? 'thing_1' : null,
    },
  })),
  {
    id: 'thing_1',
    modelId: 'things',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    values: { title: `Thing ${canary}`, chef: 'chef_1', secret: `hidden ${canary}` },
  },
];

/** The entry `chef_1` in an answer with `maxDepth=0`. */
export const chefOne = (canary: string) => ({
  id: 'chef_1',
  published: true,
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: '2026-02-01T09:00:00.000Z',
  name: { en: `Chef 1 ${canary}`, ar: `الطاهي 1 ${canary}` },
  bio: null,
  joined: null,
  mentor: null,
  friends: [{ id: 'chef_2' }, { id: 'chef_gone' }],
  signature: [],
  likes: { id: 'thing_1' },
});

const menu = (text: Text) => ({
  categories: [{ id: 'cat_1', slug: 'mains', name: text('Mains', 'الأطباق') }],
  products: [
    {
      id: 'prod_1',
      slug: 'kabsa',
      name: text('Kabsa', 'كبسة'),
      priceOptions: [{ id: 'po_1', price: 48 }],
      categoryId: 'cat_1',
      suggestions: ['prod_2', 'prod_3', 'prod_gone'],
      createdAt: '2026-01-02T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
    },
    {
      id: 'prod_2',
      slug: 'unpublished',
      name: text('Draft', 'مسودة'),
      published: false,
      priceOptions: [],
      categoryId: 'cat_1',
      createdAt: '2026-01-03T00:00:00.000Z',
      updatedAt: '2026-01-03T00:00:00.000Z',
    },
    {
      id: 'prod_3',
      slug: 'tea',
      name: text('Tea', 'شاي'),
      priceOptions: [{ id: 'po_1', price: 4.5 }],
      categoryId: 'cat_1',
      createdAt: '2026-01-04T00:00:00.000Z',
      updatedAt: '2026-01-04T00:00:00.000Z',
    },
  ],
});
