import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, locationHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Creates a member. An e-mail address belongs to at most one member of the workspace. A caller cannot grant a permission that it lacks: 403 names the first one.',
  headers: { 'Idempotency-Key': writeHeaders['Idempotency-Key'] },
  body: { description: 'The member.', content: { 'application/json': { $ref: '#/components/schemas/MemberInput' } } },
  success: { description: 'The member.', headers: { ...etagHeader, ...locationHeader } },
  refusals: ['validation_failed', 'already_exists', 'conflict', 'idempotency_key_reused'],
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
});
