import { readFileSync } from 'node:fs';
import { Permission } from '#lib/domain/access/permission.ts';
import { preset } from './preset.ts';

const reading = [
  'cms:entry:read',
  'menu:product:read',
  'menu:category:read',
  'forms:form:read',
  'forms:response:create',
];
const editing = [...reading, 'cms:entry:update', 'cms:entry:read-unpublished'];
const past = '2026-01-01T00:00:00.000Z';

/** A database of chefs, one of things, and a small menu, with the canary in every text. */
export const kitchen = preset({
  keys: {
    reader: { permissions: reading },
    /** Also sees unpublished entries. */
    editor: { permissions: editing },
    /** Also sees and writes hidden fields and unpublished products. */
    chief: { permissions: [...editing, 'cms:entry:read-hidden', 'menu:product:read-unpublished'] },
    /** Reads entries, but no products. */
    cmsOnly: { permissions: ['cms:entry:read'] },
    powerless: { permissions: [] },
    expired: { permissions: reading, expiresAt: past },
    revoked: { permissions: reading, revokedAt: past },
    /** Keys of an active member and of an inactive one. */
    member: { permissions: reading, memberId: 'mem_1' },
    formerMember: { permissions: reading, memberId: 'mem_2' },
  },
  fill: (document, canary) => {
    const text = (en: string, ar: string) => ({ en: `${en} ${canary}`, ar: `${ar} ${canary}` });
    document.members.push(
      { id: 'mem_1', name: 'Lina', active: true, permissions: ['messaging:conversation:engage'] },
      { id: 'mem_2', name: 'Omar', active: false, permissions: ['messaging:conversation:engage'] },
    );
    Object.assign(document, { cms: { models: models(), entries: entries(text, canary) }, menu: menu(text), forms: [] });
  },
});

const managing = [
  'access:key:read',
  'access:key:manage',
  'access:member:read',
  'access:member:manage',
  'cms:entry:read',
];

/** The kitchen with keys that manage access, and two members that are managers. */
export const access = preset({
  keys: {
    ...kitchen.keys,
    /** Has every permission. */
    admin: { permissions: Permission.options },
    /** Manages keys and members, with `cms:entry:read` as its only other permission. */
    clerk: { permissions: managing },
    /** Belongs to `mem_boss`. Member and key have every permission. */
    boss: { permissions: Permission.options, memberId: 'mem_boss' },
    /** Belongs to `mem_2nd`, the other manager, with every permission on the key. */
    second: { permissions: Permission.options, memberId: 'mem_2nd' },
  },
  fill: (document, canary) => {
    kitchen.fill(document, canary);
    document.members.push(
      { id: 'mem_boss', name: 'Boss', email: 'boss@example.com', permissions: [...Permission.options] },
      { id: 'mem_2nd', name: 'Second', email: 'second@example.com', permissions: managing },
    );
  },
});

const engage = 'messaging:conversation:engage';
const read = 'messaging:conversation:read';

/** The kitchen with keys that may send and read files, and others that may not. */
export const files = preset({
  keys: {
    uploader: { permissions: [engage], memberId: 'mem_files' },
    reader: { permissions: [read], memberId: 'mem_files' },
    /** The key has the permission, but no member. */
    memberless: { permissions: [engage] },
    /** The key has the permission, but its member does not. */
    overruled: { permissions: [engage], memberId: 'mem_none' },
  },
  fill: (document, canary) => {
    kitchen.fill(document, canary);
    document.members.push(
      { id: 'mem_files', name: 'Sara', active: true, permissions: [engage, read] },
      { id: 'mem_none', name: 'Rami', active: true, permissions: [] },
    );
  },
});

/** The permissions of a key and of its member. */
const rights = {
  readByRead: [[read], [read]],
  engageByEngage: [[engage], [engage]],
  bothByBoth: [
    [read, engage],
    [read, engage],
  ],
  bothByRead: [[read, engage], [read]],
  readByEngage: [[read], [engage]],
  readByNothing: [[read], []],
  nothingByBoth: [[], [read, engage]],
} as const;

const rightsOf = <Right>(right: (ofKey: readonly string[], ofMember: readonly string[], name: string) => Right) =>
  Object.entries(rights).map(([name, [ofKey, ofMember]]) => [name, right(ofKey, ofMember, name)] as const);

/** The kitchen with keys that read files; the name of a key has its permission first, then that of its member. */
export const drive = preset({
  keys: {
    ...kitchen.keys,
    ...(Object.fromEntries(rightsOf((permissions, _, name) => ({ permissions, memberId: `mem_${name}` }))) as Record<
      keyof typeof rights,
      object
    >),
    noMember: { permissions: [read, engage] },
  },
  fill: (document, canary) => {
    kitchen.fill(document, canary);
    for (const [, member] of rightsOf((_, permissions, name) => ({ id: `mem_${name}`, name, permissions })))
      document.members.push(member);
  },
});

/** The kitchen with keys for public images. */
export const media = preset({
  keys: {
    ...kitchen.keys,
    owner: { permissions: Permission.options },
    manager: { permissions: ['menu:product:manage'] },
    /** Belongs to a member without permissions. */
    overruled: { permissions: ['cms:entry:update'], memberId: 'mem_none' },
  },
  fill: (document, canary) => {
    kitchen.fill(document, canary);
    document.members.push({ id: 'mem_none', name: 'Rami', permissions: [] });
  },
});

/** The demo of the local run, without its keys. */
export const demo = preset({
  keys: {},
  fill: (document) => {
    const { apiKeys: _, workspace, ...rest } = JSON.parse(readFileSync('lib/local/demo-workspace.json', 'utf8'));
    Object.assign(document, rest, { workspace: { ...workspace, id: document.workspace.id } });
  },
});

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
