import * as z from 'zod/mini';
import { defineEndpoint, forEveryone } from '#lib/http/endpoint.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';

/** lib/spec/additions.md section 4 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/widget.js',
  summary: 'Get the script of the chat widget.',
  ...forEveryone,
  response: z.string(),
  isEdgeCached: true,
  uses: [],
});

const headers = {
  ...publicHeaders,
  'cache-control': { description: 'Any cache may keep it for an hour.' },
  'cross-origin-resource-policy': { description: 'Always `cross-origin`: any website may load the script.' },
};

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: 'Returns the chat widget: one script without dependencies. `<script src="{base_url}/widget.js" data-session="/chat-session" data-language="ar" defer></script>` adds it to a page. `/chat-session` is a path of your own server, which sends `POST /api/v1/connect/visitor-sessions`.',
  success: { description: 'The script.', headers, content: { 'text/javascript': { type: 'string' } } },
  more: unchanged('script', headers),
});
