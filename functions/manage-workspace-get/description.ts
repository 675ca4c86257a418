import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns the workspace of the key: its name, languages and currency.',
  success: { description: 'The workspace.' },
  examples: [{ name: 'settings', summary: 'The settings', key: 'admin' }],
});
