import type { Document } from './world.ts';

/** A kind in the tests of all kinds. The ids are those of `openManageKitchen`. */
export interface TestedKind {
  /** The kind in addresses. */
  readonly kind: string;
  /** A record that can be deleted, and one with references, with the first of them. */
  readonly stored: string;
  readonly used?: readonly [id: string, referrer: string];
  /** A record without id, with unused names and all defaults. */
  readonly fresh: (name: string) => Readonly<Record<string, unknown>>;
  readonly defaults: object;
  readonly patch: object;
  /** The paths that the patch changes. */
  readonly changed: readonly string[];
  /** An invalid body, and the paths of its errors. */
  readonly wrong: object;
  readonly faults: readonly string[];
  /** The records of the kind in a document. */
  readonly listOf: (document: Document) => readonly { readonly id: string }[];
}

/** The kinds that `POST /changes` takes, too. */
export const bulkKinds: readonly TestedKind[] = [
  {
    kind: 'menu-categories',
    stored: 'cat_2',
    used: ['cat_1', 'menu-products/prod_1'],
    fresh: (name) => ({ slug: name, name: { en: name } }),
    defaults: { description: null, thumbnail: null, position: null },
    patch: { name: { ar: 'جديد' }, position: 3 },
    changed: ['name.ar', 'position'],
    wrong: { slug: 'a b', name: { de: 'x' }, thumbnail: 1, nope: 1 },
    faults: ['name.de not_allowed', 'nope unknown_field', 'slug format', 'thumbnail type'],
    listOf: ({ menu }) => menu.categories,
  },
  {
    kind: 'menu-products',
    stored: 'prod_1',
    fresh: (name) => ({ slug: name, name: { en: name }, categoryId: 'cat_1' }),
    defaults: { published: true, soldout: false, images: [], priceOptions: [], barcode: null },
    patch: { soldout: true, name: { ar: 'جديد' } },
    changed: ['name.ar', 'soldout'],
    wrong: { slug: 'dish-2', name: { en: 'x' }, categoryId: 'nowhere', priceOptions: [{ id: 'a', price: -1 }] },
    faults: ['categoryId not_found', 'priceOptions.0.price min', 'slug duplicate'],
    listOf: ({ menu }) => menu.products,
  },
  {
    kind: 'forms',
    stored: 'form_2',
    used: ['form_1', 'form-responses/resp_1'],
    fresh: (name) => ({ slug: name, title: { en: name } }),
    defaults: { enabled: true, fields: [], notifications: { emails: [] } },
    patch: { enabled: false, title: { ar: 'نموذج' } },
    changed: ['enabled', 'title.ar'],
    wrong: {
      slug: 'contact',
      title: { en: 'x' },
      fields: [
        { id: 'a', ref: 'a', title: { en: 'A' }, type: 'TEXT', validations: { pattern: '(a)\\1' } },
        { id: 'b', ref: 'a', title: { en: 'A' }, type: 'NONE' },
      ],
    },
    faults: [
      'fields.0.validations.pattern pattern',
      'fields.1.ref duplicate',
      'fields.1.type not_allowed',
      'slug duplicate',
    ],
    listOf: ({ forms }) => forms,
  },
  {
    kind: 'agents',
    stored: 'agent_2',
    fresh: (name) => ({ name }),
    defaults: { enabled: true, instructions: '' },
    patch: { temperature: 1, reasoning: true, instructions: 'Be brief.' },
    changed: ['instructions', 'reasoning', 'temperature'],
    wrong: { name: 1, temperature: 3, reasoning: 'high', tools: ['nothing'] },
    faults: ['name type', 'reasoning type', 'temperature max', 'tools.0 not_allowed'],
    listOf: ({ messaging }) => messaging.agents,
  },
  {
    kind: 'channels',
    stored: 'ch_2',
    used: ['ch_1', 'conversations/conv_1'],
    fresh: (name) => ({ type: 'website', identifier: `${name}.example.org` }),
    defaults: {},
    patch: { identifier: 'https://www.Renamed.example.org/' },
    changed: ['identifier'],
    wrong: { type: 'website', identifier: 'one.example.com', nope: 1 },
    faults: ['identifier duplicate', 'nope unknown_field'],
    listOf: ({ messaging }) => messaging.channels,
  },
  {
    kind: 'customers',
    stored: 'cus_2',
    used: ['cus_1', 'conversations/conv_1'],
    fresh: (name) => ({ name, externalId: `x-${name}` }),
    defaults: { email: null, phone: null },
    patch: { email: 'new@example.com' },
    changed: ['email'],
    wrong: { name: 'x'.repeat(201), email: 'a\u0007', phone: '12-34' },
    faults: ['email format', 'name max_length', 'phone format'],
    listOf: ({ messaging }) => messaging.customers,
  },
];

/** Functions with other rights serve members. */
const members: TestedKind = {
  kind: 'members',
  stored: 'mem_1',
  fresh: (name) => ({ name, email: `${name}@example.org` }),
  defaults: { active: true, permissions: [], acceptedAt: null },
  patch: { active: false, permissions: ['menu:product:manage'] },
  changed: ['active', 'permissions'],
  wrong: { name: 1, email: ' FIRST@example.com', permissions: ['cms:entry:fly'], role: 'admin' },
  faults: ['email duplicate', 'name type', 'permissions.0 not_allowed', 'role unknown_field'],
  listOf: (document) => document.members,
};

export const testedKinds: readonly TestedKind[] = [...bulkKinds, members];
