import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: where to begin. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/',
  summary: 'Lead a browser to the console, and a program to the API description.',
  keyIn: [],
  permissions: [],
  query: z.object({}),
  response: z.object({ openapi: z.string(), docs: z.string(), console: z.string() }),
  uses: [],
});
