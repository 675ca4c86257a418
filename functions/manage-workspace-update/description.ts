import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader, writeHeaders } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Changes only the properties in the body (RFC 7396). A list such as `languages` is replaced as a whole. Texts in a removed language stay stored, but are not shown. New languages and a new default language apply from the next request on.',
  headers: writeHeaders,
  body: { description: 'The properties to change.' },
  success: { description: 'The changed workspace.', headers: etagHeader },
  refusals: ['validation_failed', 'precondition_failed', 'conflict', 'idempotency_key_reused'],
  examples: [{ name: 'name', summary: 'Another name', key: 'admin', body: { name: 'Saffron Kitchen and Bakery' } }],
});
