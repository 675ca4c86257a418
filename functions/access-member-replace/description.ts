import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Creates a member or replaces it as a whole; what the body leaves out gets its default. A caller cannot grant a permission that it does not have: 403 names the first one. To change the address of a member, or to activate one, one needs every permission that the member then has. The last active member with `access:member:manage` cannot lose it: 409 `last_manager`.',
  path: { id: 'The id of the member.' },
  query: {},
  headers: {
    ...writeHeaders,
    'If-None-Match': '`*`: the member is created, and an existing one is never replaced.',
  },
  body: { description: 'The member.', content: { 'application/json': { $ref: '#/components/schemas/MemberInput' } } },
  success: { description: 'The member as it is now.', headers: etagHeader },
  more: { 201: { description: 'The member is new.', headers: { ...etagHeader, ...locationHeader } } },
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
      name: 'whole',
      summary: 'A member as a whole',
      key: 'admin',
      path: { id: 'mem_omar' },
      body: { name: 'Omar Siddiq', email: 'omar@saffron.example', permissions: ['messaging:conversation:read'] },
    },
  ],
});
