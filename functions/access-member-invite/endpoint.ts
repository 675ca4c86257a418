import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forManagement } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

/** lib/spec/additions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/manage/members/{id}/invite',
  summary: 'Send or resend a member an invitation to the console.',
  ...forManagement,
  permissions: ['access:member:manage'],
  response: z.unknown(),
  status: 204,
  uses: ['table:read', 'table:transact', 'table:access', 'identity:invite'],
  // The call waits for the mail service.
  lambda: { timeoutSeconds: 15 },
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: [
    "Invites a member by e-mail. With the stack's user pool, the mail contains a first password. Otherwise it contains the URL of the sign-in page. Each request sends another invitation.",
    "The member's sessions end. The next person who signs in with the e-mail address becomes the member. The caller needs every permission of the member: 403 names the first missing one. Creating a member sends no mail. A workspace sends at most 3 invitations a day to an address, and 50 in all: then 429 with `Retry-After`.",
    'The response is 409 for an inactive member, or one without a valid e-mail address.',
  ].join('\n\n'),
  path: { id: 'The id of the member.' },
  success: { description: 'The invitation was sent.' },
  refusals: ['conflict'],
  examples: [{ name: 'again', summary: 'Invite a member', key: 'admin', path: { id: 'mem_omar' } }],
});
