import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: what the reference page consists of. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/docs/{file}',
  summary: 'Answer a script or style sheet of the reference page.',
  keyIn: [],
  permissions: [],
  query: z.object({}),
  response: z.string(),
  uses: [],
});
