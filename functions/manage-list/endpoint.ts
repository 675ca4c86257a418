import * as z from 'zod/mini';
import { DeletedRecord } from '#lib/domain/record-version.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { deletedKinds, readDeleted } from '#lib/kinds/history-endpoints.ts';
import { listParameters, recordPage, routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { kindOf, sharedKinds } from '#lib/kinds/kinds.ts';
import { type DescriptionsOf, wordsOfKinds } from '#lib/openapi/description.ts';

const records = routesOfKinds('list', sharedKinds.map(kindOf));
const { limit, cursor } = listParameters.shape;
const deleted = {
  deleted: {
    path: '/api/v1/manage/deleted',
    summary: 'List deleted records.',
    operation: 'deleted-records-list',
    permissions: readDeleted,
    permissionsNeeded: 'any' as const,
    query: z.object({ kind: z.optional(z.enum(deletedKinds)), limit, cursor }),
    response: recordPage(DeletedRecord),
  },
};

/** lib/spec/additions.md section 2, for deleted records section 14 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/manage/{kind}',
  summary: 'List stored or deleted records.',
  ...forManagement,
  permissions: [],
  routes: { ...records, ...deleted },
  isRoutedByPattern: true,
  query: listParameters,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: recordPage(z.looseObject({})),
  uses: ['table:read', 'files:history-read', 'files:link'],
});

export const description = (): DescriptionsOf<typeof endpoint> => ({
  ...wordsOfKinds(records, {
    tag: 'Management',
    text: 'Lists stored records: products, categories, responses, notifications, attachments and webhooks newest first, others by name. Follow `next` with the same query until it is `null`. A record that exists all the time occurs exactly once. A page of responses may be short or empty before the end.',
    success: { description: 'A page of records, and the cursor of the next page.' },
    refusals: ['response_too_large'],
    examples: [
      {
        name: 'drinks',
        summary: 'The newest drink',
        key: 'admin',
        path: { kind: 'menu-products' },
        query: { categoryId: 'cat_drinks', limit: '1' },
      },
      {
        name: 'chefs',
        summary: 'The newest entry of a database',
        key: 'admin',
        path: { kind: 'cms-entries' },
        query: { modelId: 'chefs', limit: '1' },
      },
    ],
  }),
  deleted: {
    tag: 'Management',
    text: 'Lists records that were deleted and can be restored, newest first: those of the kinds that the caller may read. `version` is the version to restore. A record that exists again is not listed. A page may be short or empty before the end of the list, which has no `next`.',
    query: { kind: 'Only records of this kind.' },
    success: { description: 'A page of deleted records.' },
  },
});
