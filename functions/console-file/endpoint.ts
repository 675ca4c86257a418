import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { consoleHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** lib/spec/additions.md section 7 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/console/{file}',
  summary: 'Get a script, the style sheet or the licences of the console.',
  ...forEveryone,
  response: z.string(),
  isEdgeCached: true,
  uses: [],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'About this API',
  text: 'Returns a script or the style sheet of the console. Their names change with their content. `notices.txt` has the licences of its libraries.',
  path: { file: 'The name of the file.' },
  success: {
    description: 'The file.',
    headers: consoleHeaders,
    content: {
      'text/javascript': { type: 'string' },
      'text/css': { type: 'string' },
      'text/plain': { type: 'string' },
    },
  },
  more: unchanged('content', consoleHeaders),
  refusals: ['not_found'],
});
