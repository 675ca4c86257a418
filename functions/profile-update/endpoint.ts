import * as z from 'zod/mini';
import { ConsoleLanguage } from '#lib/domain/access/member-record.ts';
import { rule } from '#lib/domain/schema-rules.ts';
import { jsonIssues } from '#lib/domain/text/json-value.ts';
import { Name } from '#lib/domain/text/name.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { forSessions } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { ProfileView } from '#lib/session/profile-view.ts';

/** lib/spec/additions.md section 6; of this workspace's member only. */
export const endpoint = defineEndpoint({
  methods: ['PATCH'],
  path: '/api/v1/profile',
  summary: 'Update the name or language of the signed-in member.',
  ...forSessions,
  body: z.strictObject({
    name: z.optional(Name.check(rule((name) => jsonIssues(name, 0)))),
    language: z.optional(z.nullable(ConsoleLanguage)),
  }),
  response: ProfileView,
  uses: ['table:read', 'table:update', 'table:transact', 'table:remove', 'table:access'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Sign-in',
  text: 'Changes the member of this workspace, not other members of the same person. The audit event has the member as its actor.',
  body: {
    description: 'The properties to change.',
    properties: {
      name: { description: 'The name that others see.' },
      language: { description: 'The language of the console. `null` means that of the browser.' },
    },
  },
  success: { description: 'The changed profile.' },
  refusals: ['validation_failed'],
  examples: [
    { name: 'language', summary: 'The console in Arabic', session: 'lina@saffron.example', body: { language: 'ar' } },
  ],
});
