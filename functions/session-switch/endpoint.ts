import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { ProfileView } from '#lib/session/profile-view.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/session',
  summary: 'Switch the session to another workspace of the same person.',
  keyIn: [],
  callers: ['session'],
  permissions: [],
  body: z.strictObject({ workspaceId: z.string() }),
  response: ProfileView,
  uses: ['table:read', 'table:sessions', 'table:sign-in'],
});
