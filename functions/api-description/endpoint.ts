import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';

/** Beyond the contract: this interface described for programs, made from the declarations. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/openapi.json',
  summary: 'Get the OpenAPI 3.1 description of this API.',
  keyIn: [],
  permissions: [],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.looseObject({ openapi: z.string() }),
  uses: [],
});
