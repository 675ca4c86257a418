import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forPeople } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { MembershipsView } from '#lib/session/profile-view.ts';

/** lib/spec/additions.md section 9, "Membership needs consent" */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/session/memberships',
  summary: 'List the workspaces of the signed-in person.',
  ...forPeople,
  headers: z.object({ 'If-None-Match': headerText() }),
  response: MembershipsView,
  uses: ['table:read'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Lists the workspaces in which the person is a member, those to accept first. `invitedBy` is the e-mail address of the member who made the membership, or `null`. It also accepts the session of a person who has no workspace yet: the sign-in begins one if a membership is to be accepted, or if there are several workspaces and no last one. Every other endpoint refuses that session with 403 `workspace_required`, except opening a workspace and signing out.',
  success: { description: 'The workspaces.' },
  examples: [{ name: 'memberships', summary: 'The workspaces of a person', session: 'lina@saffron.example' }],
});
