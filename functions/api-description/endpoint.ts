import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** Beyond the contract: this interface described for programs, made from the declarations. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/openapi.json',
  summary: 'Get the OpenAPI 3.1 description of this API.',
  ...forEveryone,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.looseObject({ openapi: z.string() }),
  isEdgeCached: true,
  uses: [],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'About this API',
  text: 'Returns this document. No key is needed.',
  headers: { 'If-None-Match': 'The `ETag` of the document from an earlier response.' },
  success: { description: 'The document.', headers: publicHeaders },
  more: unchanged('content', publicHeaders),
});
