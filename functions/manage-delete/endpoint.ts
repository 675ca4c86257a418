import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement, writesRecords } from '#lib/http/presets.ts';
import { parameterRules } from '#lib/http/query.ts';
import { routesOfKinds } from '#lib/kinds/kind-endpoints.ts';
import { receivedKinds } from '#lib/kinds/received.ts';
import { writtenKinds } from '#lib/kinds/written-kinds.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** Takes `true` alone, so that no typing error starts what cannot be undone. */
const confirmation = () =>
  z
    .enum(['true'], 'Must be true, or absent.')
    .register(parameterRules, { schema: { type: 'boolean', const: true }, rule: 'Must be exactly `true`, or absent.' });

const kinds = { ...writtenKinds, ...receivedKinds };

/** Only a customer can be erased. */
const routes = Object.entries(routesOfKinds('delete', Object.values(kinds))).map(([kind, parts]) =>
  kind === 'customers' ? [kind, parts] : [kind, { ...parts, query: z.object({}) }],
);

/** lib/spec/additions.md section 2, also "Erasing a person" */
export const endpoint = defineEndpoint({
  methods: ['DELETE'],
  path: '/api/v1/manage/{kind}/{id+}',
  summary: 'Delete a record.',
  ...forManagement,
  permissions: [],
  routes: Object.fromEntries(routes),
  isRoutedByPattern: true,
  query: z.object({ erase: z.optional(confirmation()), responses: z.optional(confirmation()) }),
  headers: z.object({ 'If-Match': headerText() }),
  response: z.looseObject({}),
  status: 204,
  uses: [...writesRecords, 'table:end-tokens'],
  // It erases a person with all conversations.
  lambda: { timeoutSeconds: 23 },
});

const erasing = {
  description:
    'With `erase`: the customer and its conversations are deleted. What belongs to them follows within minutes.',
  content: {
    'application/json': {
      type: 'object',
      properties: { status: { type: 'string', const: 'erasing', description: 'What happens now.' } },
      required: ['status'],
    },
  },
};

export const description = (): DescriptionOf<typeof endpoint> => ({
  like: 'delete',
  query: {
    erase:
      'Of a customer: also deletes the conversations with their messages, files, notifications and visitor sessions. It is then 202 instead of 409 `in_use`.',
    responses:
      'With `erase`: also deletes the form responses in which an answer is the e-mail address of the customer.',
  },
  onlyFor: { customers: { more: { 202: erasing } } },
  examples: [
    {
      name: 'customer',
      summary: 'Delete a customer without conversations',
      key: 'admin',
      path: { kind: 'customers', id: 'cus_noor' },
    },
  ],
});
