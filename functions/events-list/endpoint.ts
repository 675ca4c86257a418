import * as z from 'zod/mini';
import { isPosition, positionAt } from '#lib/domain/events/position.ts';
import { WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import { queryTimes, utcTime } from '#lib/domain/text/utc-time.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forManagement } from '#lib/http/presets.ts';
import { parameterRules } from '#lib/http/query.ts';
import { commaList, wholeNumber } from '#lib/http/query-parameters.ts';
import { isSelector } from '#lib/kinds/event-types.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';

const afterRule = `Must be \`next\` of a page, the id of an event, or a time such as ${queryTimes}.`;

/** A position in the feed, or a time, as a position. */
const after = () =>
  z
    .pipe(
      z.string().check(z.refine((text) => isPosition(text) || utcTime(text) !== undefined, afterRule)),
      z.transform((text) => (isPosition(text) ? text : positionAt(Date.parse(utcTime(text) ?? '')))),
    )
    .register(parameterRules, { rule: afterRule });

/** lib/spec/additions.md section 5 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/events',
  summary: 'List what has changed.',
  ...forManagement,
  permissions: ['events:event:read'],
  query: z.object({
    after: z.optional(after()),
    types: commaList().check(
      z.refine((types) => [...(types ?? [])].every(isSelector), {
        error: 'Must be types of events such as menu_product.updated, or menu_product.* for all of a kind.',
        params: { code: 'not_allowed' },
      }),
    ),
    limit: z._default(z.optional(wholeNumber({ min: 1, max: 100 })), 50),
  }),
  headers: z.object({ 'If-None-Match': headerText() }),
  response: z.object({ data: z.array(WorkspaceEvent), next: z.string(), hasMore: z.boolean() }),
  uses: ['table:read', 'table:update'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Events',
  text: [
    'Lists the changes of the last 30 days, oldest first: one event for each record that a request made, changed or removed, without its values. Ask again with `after` set to `next`; a feed that is followed this way has every event once, and its order never changes.',
    'A caller sees the events of the records that it may read. A page may be shorter than its limit, or empty, while `hasMore` is `true`.',
  ].join('\n\n'),
  query: {
    after:
      'Where to go on: `next` of the page before, or the id of an event. A time (RFC 3339) begins with the events at this time. By default, and at most, the feed begins 30 days back.',
    types: 'Only events of these types, such as `menu_product.updated`, or `menu_product.*` for all of a kind.',
  },
  success: { description: 'A page of events.' },
  examples: [{ name: 'first', summary: 'The first two events', key: 'admin', query: { limit: '2' } }],
});
