import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { consoleHeaders, pageHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** lib/spec/additions.md section 7 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/console',
  summary: 'Get the page of the management console.',
  ...forEveryone,
  response: z.string(),
  uses: ['files:address'],
});

const headers = { ...consoleHeaders, ...pageHeaders };

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'About this API',
  text: 'Returns the management console, where members of a workspace sign in and work. The page sends requests only to this service.',
  success: { description: 'The page.', headers, content: { 'text/html': { type: 'string' } } },
  more: unchanged('page', headers),
});
