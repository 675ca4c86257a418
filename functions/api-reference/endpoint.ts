import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: a page that shows this interface, where people can try calls with their own key. */
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
