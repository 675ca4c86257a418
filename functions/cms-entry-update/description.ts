import { describeEndpoint } from '#lib/openapi/description.ts';
import { entryParameterTexts, maxDepthHeader } from '#lib/openapi/entry-texts.ts';
import { noLocaleTexts } from '#lib/openapi/locale-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'CMS',
  text: [
    'Changes the fields that `values` names and no others; PATCH and PUT do the same. Languages of a localized field are merged into those that are stored, `null` removes a language or clears a field. A required field that is written must have a value afterwards. Of the system fields `published` can be written. An entry that is not published is 404 for keys without `cms:entry:read-unpublished`.',
    'Everything that is wrong is answered at once, each at `values.<field>` or `values.<field>.<language>`. Concurrent updates of different fields, or of different languages of one field, all survive.',
  ].join('\n\n'),
  path: { modelId: 'The id of the CMS database.', id: 'The id of the entry.' },
  query: { ...entryParameterTexts, ...noLocaleTexts },
  headers: {
    'If-Match': 'One or several tags of versions, or `*`: the entry is changed only if one of them is the stored one.',
    'Idempotency-Key':
      'A text of your own that names this update: it is carried out once, and a repetition within 24 hours gets the same answer. Where that is not known, since the service broke off between the update and its answer, it gets the entry as it is by then. A refused update does not use it up.',
  },
  body: {
    description: 'One object with one member.',
    members: {
      values: { description: 'The new values by field key. A relation is the id of its target, or a list of ids.' },
    },
  },
  success: {
    description: 'The entry as it is now.',
    headers: { etag: { description: 'The new version of the entry, for `If-Match`.' }, ...maxDepthHeader },
  },
  refusals: [
    'validation_failed',
    'unknown_field',
    'not_found',
    'precondition_failed',
    'conflict',
    'idempotency_key_reused',
  ],
  examples: [
    {
      name: 'rename',
      summary: 'A new English name; the other languages stay',
      key: 'editor',
      path: { modelId: 'chefs', id: 'chef_noura' },
      query: { fields: 'name,published' },
      body: { values: { name: { en: 'Noura Al-Otaibi' }, published: true } },
    },
  ],
});
