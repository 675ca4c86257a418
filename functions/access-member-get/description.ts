import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns a stored member.',
  path: { id: 'The id of the member.' },
  success: { description: 'The member.', headers: etagHeader },
  refusals: ['not_found'],
  examples: [{ name: 'omar', summary: 'One member', key: 'admin', path: { id: 'mem_omar' } }],
});
