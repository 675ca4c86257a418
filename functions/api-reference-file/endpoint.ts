import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';

/** Not part of the contract: the files of the reference page. */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/docs/{file}',
  summary: 'Get a script or style sheet of the reference page.',
  keyIn: [],
  permissions: [],
  response: z.string(),
  uses: [],
});
