import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, mergePatchContent, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Changes members of a member (JSON Merge Patch). What changes of `active` and `permissions` counts with the next request, also for the keys of the member. A caller cannot grant a permission that it does not have: 403 names the first one. To change the address of a member, or to activate one, one needs every permission that the member then has. The last active member with `access:member:manage` cannot lose it: 409 `last_manager`.',
  path: { id: 'The id of the member.' },
  query: {},
  headers: writeHeaders,
  body: {
    description: 'The members to change.',
    content: mergePatchContent,
  },
  success: { description: 'The member as it is now.', headers: etagHeader },
  refusals: [
    'validation_failed',
    'not_found',
    'last_manager',
    'precondition_failed',
    'conflict',
    'idempotency_key_reused',
  ],
  examples: [
    {
      name: 'engage',
      summary: 'A member who may also reply',
      key: 'admin',
      path: { id: 'mem_omar' },
      body: { permissions: ['messaging:conversation:read', 'messaging:conversation:engage'] },
    },
  ],
});
