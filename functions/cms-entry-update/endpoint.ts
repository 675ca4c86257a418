import * as z from 'zod/mini';
import { EntryView } from '#lib/cms/entry-view.ts';
import { entryParameters } from '#lib/cms/parameters.ts';
import { EntryValues } from '#lib/domain/cms/cms-entry.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText, idempotencyKey } from '#lib/http/headers.ts';
import { noLocaleParameters } from '#lib/http/locale.ts';

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
  uses: ['table:read', 'table:update', 'table:transact'],
});
