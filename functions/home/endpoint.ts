import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** Beyond the contract: links to the console and the documentation. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/',
  summary: 'Get the URLs of this API and its pages; a browser is redirected to the console.',
  ...forEveryone,
  response: z.object({ openapi: z.string(), docs: z.string(), console: z.string() }),
  uses: [],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'About this API',
  text: 'Returns the URLs of this document, the reference page and the management console. No key is needed.',
  success: { description: 'The URLs.', headers: publicHeaders },
  more: {
    ...unchanged('content', publicHeaders),
    302: { description: 'The console, for a browser.', headers: { location: { description: 'Always `/console`.' } } },
  },
});
