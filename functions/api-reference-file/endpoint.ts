import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** Not part of the contract: the files of the reference page. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/docs/{file}',
  summary: 'Get a script or style sheet of the reference page.',
  ...forEveryone,
  response: z.string(),
  isEdgeCached: true,
  uses: [],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'About this API',
  text: 'Returns a script or style sheet of the reference page. `notices.txt` has the licences of its libraries.',
  path: { file: 'The name of the file.' },
  success: {
    description: 'The file.',
    headers: publicHeaders,
    content: { 'text/javascript': { type: 'string' }, 'text/css': { type: 'string' }, '*/*': {} },
  },
  more: unchanged('content', publicHeaders),
  refusals: ['not_found'],
});
