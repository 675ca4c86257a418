import { describeEndpoint } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Lists API keys by name. No response contains a secret or its hash. `lastUsedAt` is truncated to the hour, and `null` before the first use.',
  query: listTexts,
  success: { description: 'A page of keys.' },
  examples: [{ name: 'search', summary: 'Search keys by name', key: 'admin', query: { q: 'service' } }],
});
