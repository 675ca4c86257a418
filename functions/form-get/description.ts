import { describeEndpoint } from '#lib/openapi/description.ts';
import { contentLanguageHeader, localeTexts } from '#lib/openapi/locale-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Forms',
  text: 'Returns a form with its fields, also if it is disabled. The `ref` of a field is the name of its answer.',
  path: { slug: 'The slug of the form.' },
  query: localeTexts,
  success: { description: 'The form.', headers: contentLanguageHeader },
  refusals: ['form_not_found'],
  examples: [{ name: 'contact', summary: 'A form', key: 'site', path: { slug: 'contact' } }],
});
