import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Carries out changes in their order, each on its own: one that is refused stops no other. Every change needs the permissions of its own kind and is answered like a call of its own. A malformed item or a 101st makes the whole request 400, with nothing done.',
    'What there is no time for is 503 each; send these again. Members and API keys are changed by their own calls only.',
  ].join('\n\n'),
  path: {},
  query: {},
  body: {
    description: 'The changes, in order.',
    members: {
      changes: {
        description:
          'Each with `method` (`POST`, `PUT`, `PATCH` or `DELETE`), `kind`, `id` (which POST may leave out), and, where the method takes them, `ifMatch` and `record`.',
      },
    },
  },
  success: { description: 'The result of each change, in the order of the changes.' },
  refusals: ['validation_failed'],
  examples: [
    {
      name: 'two',
      summary: 'Two changes, of which one is refused',
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
