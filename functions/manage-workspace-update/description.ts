import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Changes the members that the body has (RFC 7396). A list such as `languages` is replaced as a whole. Texts in a language that goes stay stored and are not shown. The new languages and the new default language count from the next request on.',
  path: {},
  query: {},
  headers: writeHeaders,
  body: { description: 'The members to change.' },
  success: { description: 'The workspace as it is now.', headers: etagHeader },
  refusals: ['validation_failed', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [{ name: 'name', summary: 'Another name', key: 'admin', body: { name: 'Saffron Kitchen and Bakery' } }],
});
