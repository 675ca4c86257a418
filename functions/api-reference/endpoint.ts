import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: a page that shows this interface, where people can try calls with their own key. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/docs',
  summary: 'Get the interactive API reference page.',
  keyIn: [],
  permissions: [],
  response: z.string(),
  uses: [],
});
