import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { ChangeResults, Changes } from '#lib/manage/change-list.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 2; every change needs the permissions of its own kind. */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/changes',
  summary: 'Apply up to 100 record changes independently.',
  ...forManagement,
  permissions: [],
  body: Changes,
  response: ChangeResults,
  uses: writesRecords,
  lambda: { timeoutSeconds: 27 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    'Applies changes in order, each independently: a refused change does not stop the others. Each change needs the permissions of its kind, and has the result of a separate request. A malformed item or more than 100 items make the whole request 400, and nothing is changed.',
    'Changes that exceed the time of the request have the result 503; send them again. Members, API keys and webhooks have their own endpoints and cannot be changed here.',
  ].join('\n\n'),
  body: {
    description: 'The changes, in order.',
    properties: {
      changes: {
        description:
          'Each has `method` (`POST`, `PUT`, `PATCH` or `DELETE`), `kind` and `id` (optional for POST). Depending on the method, it also has `ifMatch` and `record`.',
      },
    },
  },
  success: { description: 'The result of each change, in the order of the changes.' },
  refusals: ['validation_failed'],
  examples: [
    {
      name: 'two',
      summary: 'Two changes; the second is refused',
      key: 'admin',
      body: {
        changes: [
          { method: 'PATCH', kind: 'customers', id: 'cus_abdullah', record: { phone: '+966 55 700 0188' } },
          { method: 'DELETE', kind: 'customers', id: 'cus_nobody' },
        ],
      },
    },
  ],
});
