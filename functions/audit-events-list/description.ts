import { describeEndpoint } from '#lib/openapi/description.ts';
import { listTexts } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Lists the changes of the last 400 days, newest first. An event has the actor, the time, the record, and the paths that an update changed, but no values. All filters must match.',
    'A list by `q`, or by `recordKind` alone, may have short or empty pages before its end. It ends when `next` is `null`.',
  ].join('\n\n'),
  query: {
    ...listTexts,
    recordKind: 'Only changes of records of this kind, such as `menu-products`.',
    recordId: 'Only changes of records with this id; for an entry, `modelId/id`.',
    actorId: 'Only changes by this key or member; `operator` for commands and imports.',
    since: 'Only changes at this time or later (RFC 3339).',
    until: 'Only changes before this time (RFC 3339).',
  },
  success: { description: 'A page of events.' },
});
