import { describeEndpoint } from '#lib/openapi/description.ts';
import { etagHeader } from '#lib/openapi/manage-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns an audit event. Events never change. They are kept for 400 days.',
  path: { id: 'The id of the event.' },
  success: { description: 'The event.', headers: etagHeader },
  refusals: ['not_found'],
});
