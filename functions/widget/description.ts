import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = {
  ...publicHeaders,
  'cache-control': { description: 'Everybody may keep it, for an hour.' },
  'cross-origin-resource-policy': { description: 'Always `cross-origin`: any website may load the script.' },
};

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Answers the chat widget: one script without dependencies. `<script src="{base_url}/widget.js" data-session="/chat-session" data-language="ar" defer></script>` puts it on a page; `/chat-session` is an address of your own server, which calls `POST /api/v1/connect/visitor-sessions`.',
  path: {},
  query: {},
  success: { description: 'The script.', headers, content: { 'text/javascript': { type: 'string' } } },
  more: { 304: { description: 'The caller has it already; there is no body.', headers } },
  refusals: [],
  examples: [],
});
