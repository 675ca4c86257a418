import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: links to the console and the documentation. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/',
  summary: 'Redirect to the console or the API description.',
  keyIn: [],
  permissions: [],
  response: z.object({ openapi: z.string(), docs: z.string(), console: z.string() }),
  uses: [],
});
