import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { ProfileView } from '#lib/session/profile-view.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/profile',
  summary: 'Get the profile of the signed-in member and renew the session.',
  keyIn: [],
  callers: ['session'],
  permissions: [],
  headers: z.object({ 'If-None-Match': headerText() }),
  response: ProfileView,
  uses: ['table:read', 'table:sessions'],
});
