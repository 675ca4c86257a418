import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forEveryone } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import {
  acceptRanges,
  contentTag,
  downloadAnswers,
  downloadHeaders,
  downloadRefusals,
} from '#lib/openapi/download-texts.ts';

/** lib/spec/additions.md section 2 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/media/{key}',
  summary: 'Download a public image.',
  ...forEveryone,
  headers: z.object({ 'If-None-Match': headerText(), 'If-Range': headerText(), Range: headerText() }),
  response: z.unknown(),
  responseMode: 'streamed',
  isEdgeCached: true,
  uses: ['table:media-read', 'files:media-read'],
  // The time for the largest image over a slow connection.
  lambda: { timeoutSeconds: 120 },
});

const headers = {
  'content-length': { description: 'The number of bytes in the body.' },
  etag: contentTag,
  'accept-ranges': acceptRanges,
  'cache-control': {
    description: 'Always `public, max-age=31536000, immutable`: the content of a URL never changes.',
  },
  'content-disposition': { description: 'Always `inline`.' },
  'content-security-policy': { description: "Always `default-src 'none'; sandbox`." },
  'cross-origin-resource-policy': { description: 'Always `cross-origin`: any website may show the image.' },
};

// Generators of clients skip an operation that names `image/*` alone.
const content = { 'application/octet-stream': { type: 'string', format: 'binary' }, 'image/*': {} };

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Management',
  text: 'Returns a public image with the media type of its content. No key is needed. A request may ask for one range of bytes; HEAD ignores `Range`.',
  path: { key: 'The last part of the `url` of an image.' },
  headers: downloadHeaders('image'),
  success: { description: 'The image.', headers, content },
  more: downloadAnswers('image', { headers, content }),
  refusals: downloadRefusals,
});
