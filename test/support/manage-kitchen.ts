import { randomUUID } from 'node:crypto';
import { Permission } from '#lib/domain/access/permission.ts';
import { type Answer, type Call, call } from './call.ts';
import { type Document, storeWorkspace } from './world.ts';

/** A workspace for tests of the management endpoints, with keys by their permissions. */
export interface ManageKitchen {
  readonly workspaceId: string;
  readonly document: Document;
  /** The secret of a key with exactly these permissions, created by `openManageKitchen`. */
  readonly secretOf: (name: string) => string;
  /** Creates a key with these permissions. @returns its secret */
  readonly keyWith: (permissions: readonly Permission[]) => Promise<string>;
  /** Calls with the key that has all permissions. */
  readonly manage: (request: string, body?: unknown, options?: Call) => Promise<Answer>;
}

/** Imports a workspace with a few records of each kind; `change` may first alter its document. */
export async function openManageKitchen(
  change: (document: Document) => void = () => undefined,
): Promise<ManageKitchen> {
  const workspaceId = `ws_${randomUUID().replaceAll('-', '')}`;
  const secretOf = (name: string) => `${name.replaceAll(':', '-')}-${workspaceId}`;
  const document = documentOf(workspaceId, secretOf);
  change(document);
  await storeWorkspace(document);
  const manage = (request: string, body?: unknown, options: Call = {}) => {
    const [method = '', path = ''] = request.split(' ');
    const key = secretOf('all');
    return call(`${method} /api/v1/manage/${path}`, { key, ...(body !== undefined && { body }), ...options });
  };
  const keyWith = async (permissions: readonly Permission[]): Promise<string> =>
    (await manage('POST api-keys', { name: permissions.join(), permissions })).json.secret;
  return { workspaceId, document, secretOf, keyWith, manage };
}

const stamp = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();

const documentOf = (workspaceId: string, secretOf: (name: string) => string): Document => ({
  version: 1,
  workspace: { id: workspaceId, name: workspaceId, languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
  members: [{ id: 'mem_few', name: 'Few', permissions: ['menu:product:manage'] }],
  apiKeys: [
    { id: 'key_all', name: 'All', secret: secretOf('all'), permissions: Permission.options },
    { id: 'key_none', name: 'None', secret: secretOf('none'), permissions: [] },
    {
      id: 'key_member',
      name: 'Of a member',
      secret: secretOf('member'),
      memberId: 'mem_few',
      permissions: Permission.options,
    },
    ...Permission.options.map((permission) => ({
      id: `key_${permission}`,
      name: permission,
      secret: secretOf(permission),
      permissions: [permission],
    })),
  ],
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
