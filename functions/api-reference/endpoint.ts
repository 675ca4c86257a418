import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: this interface described for people, who can try it with a key of their own. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/docs',
  summary: 'Show this API as a page where calls can be tried.',
  keyIn: [],
  permissions: [],
  query: z.object({}),
  response: z.string(),
  uses: [],
});
