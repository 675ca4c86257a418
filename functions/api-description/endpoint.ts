import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Beyond the contract: this interface described for programs, made from the declarations. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/openapi.json',
  summary: 'Describe this API as OpenAPI 3.1.',
  keyIn: [],
  permissions: [],
  query: z.object({}),
  response: z.looseObject({ openapi: z.string() }),
  uses: [],
});
