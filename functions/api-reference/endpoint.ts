import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { pageHeaders, publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** Beyond the contract: a page that shows this interface, where people can try calls with their own key. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/docs',
  summary: 'Get the interactive API reference page.',
  ...forEveryone,
  response: z.string(),
  isEdgeCached: true,
  uses: [],
});

const headers = { ...publicHeaders, ...pageHeaders };

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'About this API',
  text: 'Returns a page that shows this document. A key that you enter stays in the page. The page sends it only to this service, with the requests that you try.',
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: unchanged('page', headers),
});
