import * as z from 'zod/mini';
import { EntryView, entryParameters } from '#lib/cms/parameters.ts';
import { EntryValues } from '#lib/domain/cms/entry-values.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { parameterRules } from '#lib/http/query.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

const absent = () =>
  z.optional(
    z
      .custom<never>(() => false, {
        error: 'Must be absent: an update takes and returns all languages.',
        params: { code: 'not_allowed' },
      })
      .register(parameterRules, { schema: { type: 'string', maxLength: 0 }, rule: 'Must be absent or empty.' }),
  );

/** For updates, which always take and return all languages: one language alone would overwrite the others. */
const noLocaleParameters = { locale: absent(), fallback: absent() };

/** lib/spec/interface.md section 4.2; both methods change only the fields in `values`. */
export const endpoint = defineEndpoint({
  methods: ['PATCH', 'PUT'],
  path: '/api/public/cms/{modelId}/{id}',
  summary: 'Update fields of a CMS entry.',
  keyIn: ['bearer', 'x-api-key', 'query'],
  callers: ['key', 'session'],
  permissions: ['cms:entry:read', 'cms:entry:update'],
  query: z.object({ ...entryParameters, ...noLocaleParameters }),
  headers: z.object({ 'If-Match': headerText(), 'Idempotency-Key': idempotencyKey() }),
  body: z.strictObject({ values: EntryValues }),
  response: EntryView,
  uses: ['table:read', 'table:update', 'table:transact', 'files:history-write'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'CMS',
  text: [
    'Changes only the fields in `values`; PATCH and PUT do the same. Languages of a localized field are merged into the stored ones. `null` removes a language or clears a field. A required field must have a value after the update. The only writable system field is `published`. An unpublished entry is 404 for keys without `cms:entry:read-unpublished`.',
    'A 400 lists all errors, each with a path such as `values.<field>` or `values.<field>.<language>`. Concurrent updates of different fields, or of different languages of a field, are all kept.',
  ].join('\n\n'),
  path: { modelId: 'The id of the CMS database.', id: 'The id of the entry.' },
  // A single language would overwrite all others.
  query: {
    locale: 'Must be absent: an update takes and returns all languages.',
    fallback: 'Must be absent.',
  },
  headers: {
    'If-Match': 'One or more ETags, or `*`. The entry is changed only if one of them matches the stored version.',
    'Idempotency-Key':
      'A unique string for this update. A retry with the same body within 24 hours changes nothing and gets the same response. If the service failed after the update, a retry gets the current entry. A refused update does not use the key up.',
  },
  body: {
    description: 'An object with the property `values`.',
    properties: {
      values: { description: 'The new values by field key. A relation is the id of its target, or a list of ids.' },
    },
  },
  success: {
    description: 'The updated entry.',
    headers: { etag: { description: 'The new version of the entry, for `If-Match`.' }, 'x-cms-max-depth': 'common' },
  },
  refusals: ['unknown_field'],
  examples: [
    {
      name: 'rename',
      summary: 'Change the English name; other languages stay',
      key: 'editor',
      path: { modelId: 'chefs', id: 'chef_noura' },
      query: { fields: 'name,published' },
      body: { values: { name: { en: 'Noura Al-Otaibi' }, published: true } },
    },
  ],
});
