import { describeEndpoint } from '#lib/openapi/description.ts';
import { writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: "Removes a member. The member's keys are refused from the next request on. The last active member with `access:member:manage` cannot be removed: 409 `last_manager`.",
  path: { id: 'The id of the member.' },
  headers: writeHeaders,
  success: { description: 'The member was removed.' },
  refusals: ['validation_failed', 'not_found', 'last_manager', 'precondition_failed', 'conflict'],
  examples: [{ name: 'gone', summary: 'Remove a member', key: 'admin', path: { id: 'mem_yara' } }],
});
