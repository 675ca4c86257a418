import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Carries out changes in order, each independently: a refused change does not stop the others. Each change needs the permissions of its kind, and has a result like a separate call. A malformed item or more than 100 items make the whole request 400, and nothing is changed.',
    'Changes that exceed the time of the request have the result 503; send them again. Members and API keys have their own calls and cannot be changed here.',
  ].join('\n\n'),
  path: {},
  query: {},
  body: {
    description: 'The changes, in order.',
    members: {
      changes: {
        description:
          'Each has `method` (`POST`, `PUT`, `PATCH` or `DELETE`), `kind`, `id` (optional for POST) and, depending on the method, `ifMatch` and `record`.',
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
