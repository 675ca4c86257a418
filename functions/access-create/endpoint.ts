import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { apiKey, IssuedApiKey, member } from '#lib/kinds/access.ts';
import { partsOf, routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { webhook } from '#lib/kinds/webhooks.ts';
import { UncheckedRecordBody } from '#lib/manage/bodies.ts';
import { type DescriptionsOf, wordsOfKinds } from '#lib/openapi/description.ts';
import { etagHeader, issuedHeaders, locationHeader } from '#lib/openapi/manage-texts.ts';

const webhooks = routesOfKinds('create', [webhook]);

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/{kind}',
  summary: 'Create an API key, a member or a webhook.',
  ...forManagement,
  permissions: [],
  routes: {
    'api-keys': {
      ...partsOf('create', apiKey),
      path: '/api/v1/manage/api-keys',
      summary: 'Create an API key. Only this response contains its secret.',
      operation: 'access-key-create',
      response: IssuedApiKey,
    },
    members: {
      ...partsOf('create', member),
      path: '/api/v1/manage/members',
      summary: 'Create a member.',
      operation: 'access-member-create',
    },
    ...webhooks,
  },
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  body: UncheckedRecordBody,
  response: z.looseObject({}),
  status: 201,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  'api-keys': {
    tag: 'Management',
    text: [
      'Creates an API key. Only this response contains its `secret`, with `Cache-Control: no-store`. The service stores only a hash. A retry with the same `Idempotency-Key` gets the record without the secret.',
      'Without `permissions`, the key can read published content, the menu and forms, and submit forms. A caller cannot grant a permission that it lacks: 403 names the first one. A key of another member speaks as that member, so it also requires `access:member:manage` and every permission of the member. A member has at most 50 keys.',
    ].join('\n\n'),
    headers: issuedHeaders,
    body: { description: 'The key. Only `name` is required.' },
    success: { description: 'The key with its secret.', headers: { ...etagHeader, ...locationHeader } },
    refusals: ['already_exists'],
    examples: [
      {
        name: 'till',
        summary: 'Create a key that reads the menu',
        key: 'admin',
        body: { name: 'Till', permissions: ['menu:product:read', 'menu:category:read'] },
      },
    ],
  },
  members: {
    tag: 'Management',
    text: 'Creates a member. An e-mail address belongs to at most one member of the workspace. A caller cannot grant a permission that it lacks: 403 names the first one.',
    body: { description: 'The member.' },
    success: { description: 'The member.', headers: { ...etagHeader, ...locationHeader } },
    refusals: ['already_exists'],
    examples: [
      {
        name: 'new',
        summary: 'Create a member',
        key: 'admin',
        body: {
          id: 'mem_yara',
          name: 'Yara Nasser',
          email: 'yara@saffron.example',
          permissions: ['messaging:conversation:read'],
        },
      },
    ],
  },
  ...wordsOfKinds(webhooks, {
    like: 'create',
    examples: [
      {
        name: 'webhook',
        summary: 'Create a webhook for products and responses',
        key: 'admin',
        path: { kind: 'webhooks' },
        body: {
          id: 'wh_till',
          url: 'https://hooks.example.com/till',
          types: ['menu_product.*', 'form_response.created'],
          apiKeyId: 'key_site',
        },
      },
    ],
  }),
});
