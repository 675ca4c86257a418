import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = {
  ...publicHeaders,
  'cache-control': { description: 'Any cache may keep it for an hour.' },
  'cross-origin-resource-policy': { description: 'Always `cross-origin`: any website may load the script.' },
};

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Returns the chat widget: one script without dependencies. `<script src="{base_url}/widget.js" data-session="/chat-session" data-language="ar" defer></script>` adds it to a page. `/chat-session` is a path of your own server, which sends `POST /api/v1/connect/visitor-sessions`.',
  success: { description: 'The script.', headers, content: { 'text/javascript': { type: 'string' } } },
  more: unchanged('script', headers),
});
