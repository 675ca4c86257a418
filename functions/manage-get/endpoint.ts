import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { routesOfHistory } from '#lib/kinds/history-endpoints.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { kindOf, sharedKinds } from '#lib/kinds/kinds.ts';
import { type DescriptionsOf, wordsOfKinds } from '#lib/openapi/description.ts';

const records = routesOfKinds('get', sharedKinds.map(kindOf));
const lists = routesOfHistory('versions');
const versions = routesOfHistory('version');

/** lib/spec/additions.md section 2, for versions section 14 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Get a stored record, its versions, or one of them.',
  ...forManagement,
  permissions: [],
  routes: { ...records, ...lists, ...versions },
  isRoutedByPattern: true,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.looseObject({}),
  uses: ['table:read', 'files:history-read', 'files:link'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  ...wordsOfKinds(records, {
    tag: 'Management',
    text: 'Returns the stored record, in the form of a workspace document. The `ETag` is its stored version, also for `If-Match`.',
    success: { description: 'The record.' },
    examples: [
      { name: 'customer', summary: 'One customer', key: 'admin', path: { kind: 'customers', id: 'cus_huda' } },
      { name: 'category', summary: 'One category', key: 'admin', path: { kind: 'menu-categories', id: 'cat_drinks' } },
    ],
  }),
  ...wordsOfKinds(lists, {
    tag: 'Management',
    text: [
      'Lists what changes have left of the record, newest first, with the author and the changed paths of each. The id of a version is that of its audit event. A version with the action `import` is what was there before a change, if no other version is.',
      'Versions are kept for a time that the deployment sets, usually 90 days. A record without versions has an empty list. A page may be short or empty before the end of the list, which has no `next`.',
    ].join('\n\n'),
    success: { description: 'A page of versions.' },
    refusals: ['not_found'],
  }),
  ...wordsOfKinds(versions, {
    tag: 'Management',
    text: 'Returns the record as a change has left it, with fields and languages that are gone since. Hidden fields of an entry need their permission, as they do today. There is no record of a deletion, or of a very large one that could not be kept: 404.',
    success: { description: 'The record then.' },
  }),
});
