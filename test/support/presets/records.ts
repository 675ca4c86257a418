import { Permission } from '#lib/domain/access/permission.ts';
import type { Answer, Call } from '../call.ts';
import { call, preset } from './preset.ts';

const all = Permission.options;

/** A few records of each kind for the tests of management, and a key for each permission, by its name. */
export const records = preset({
  keys: {
    all: { permissions: all },
    none: { permissions: [] },
    member: { memberId: 'mem_few', permissions: all },
    ...(Object.fromEntries(all.map((permission) => [permission, { permissions: [permission] }])) as Record<
      Permission,
      object
    >),
  },
  fill: (document) => {
    document.workspace.name = document.workspace.id;
    document.members.push(
      { id: 'mem_few', name: 'Few', permissions: ['menu:product:manage'] },
      { id: 'mem_1', name: 'First', email: 'first@example.com' },
    );
    Object.assign(document, stored());
  },
  calls: ({ keys }) => {
    /** Calls with the key that has all permissions. */
    const manage = (request: string, body?: unknown, options: Call = {}): Promise<Answer> => {
      const [method = '', path = ''] = request.split(' ');
      const sent = { key: keys.all, ...(body !== undefined && { body }), ...options };
      return call(`${method} /api/v1/manage/${path}`, sent);
    };
    /** Creates a key with these permissions. @returns its secret */
    const keyWith = async (permissions: readonly Permission[]): Promise<string> =>
      (await manage('POST api-keys', { name: permissions.join(), permissions })).json.secret;
    return { manage, keyWith, secretOf: (name: string): string => keys[name as 'all'] };
  },
});

const stamp = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

const stored = () => ({
  menu: {
    categories: [
      { id: 'cat_1', slug: 'mains', name: { en: 'Mains' }, createdAt: stamp(0), updatedAt: stamp(0) },
      { id: 'cat_2', slug: 'empty', name: { en: 'Empty' }, createdAt: stamp(0), updatedAt: stamp(0) },
    ],
    products: [1, 2, 3].map((number) => ({
      id: `prod_${number}`,
      slug: `dish-${number}`,
      name: { en: `Dish ${number}`, ar: `طبق ${number}` },
      categoryId: 'cat_1',
      priceOptions: [{ id: 'po_1', price: 10 * number }],
      createdAt: stamp(number),
      updatedAt: stamp(number),
    })),
  },
  forms: [
    { id: 'form_1', slug: 'contact', title: { en: 'Contact' }, fields: [] },
    { id: 'form_2', slug: 'booking', title: { en: 'Booking' }, fields: [] },
  ],
  formResponses: [{ id: 'resp_1', formId: 'form_1', answers: {}, createdAt: stamp(0) }],
  messaging: {
    channels: [
      { id: 'ch_1', type: 'website', identifier: 'one.example.com' },
      { id: 'ch_2', type: 'website', identifier: 'two.example.com' },
    ],
    customers: [
      { id: 'cus_1', externalId: 'e-1', name: 'Huda', email: 'huda@example.com', phone: null },
      { id: 'cus_2', externalId: null, name: 'Aziz', email: null, phone: '+966500000002' },
    ],
    agents: [
      { id: 'agent_1', name: 'Saffron' },
      { id: 'agent_2', name: 'Basil' },
    ],
    conversations: [{ id: 'conv_1', channelId: 'ch_1', customerId: 'cus_1' }],
  },
});
