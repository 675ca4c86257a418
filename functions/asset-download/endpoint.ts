import * as z from 'zod/mini';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { headerText } from '#lib/http/headers.ts';
import { forVisitors } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import {
  acceptRanges,
  contentTag,
  downloadAnswers,
  downloadHeaders,
  downloadRefusals,
} from '#lib/openapi/download-texts.ts';

/** lib/spec/interface.md section 4.6 */
export const endpoint = defineEndpoint({
  methods: ['GET'],
  path: '/api/v1/connect/assets/{key+}',
  summary: 'Download an attachment.',
  ...forVisitors,
  permissions: ['messaging:conversation:read', 'messaging:conversation:engage'],
  permissionsNeeded: 'any',
  headers: z.object({ 'If-None-Match': headerText(), 'If-Range': headerText(), Range: headerText() }),
  response: z.unknown(),
  responseMode: 'streamed',
  // The first download of a directly uploaded file also stores its record.
  uses: ['table:read', 'table:uploads', 'files:read'],
  // The time for the largest file over a slow connection.
  lambda: { timeoutSeconds: 300 },
});

const headers = {
  'content-length': { description: 'The number of bytes in the body. Behind a function URL, use `x-file-size`.' },
  'x-file-size': { description: 'The number of bytes of the whole file.' },
  etag: contentTag,
  'accept-ranges': acceptRanges,
  'content-disposition': {
    description: 'The name of the file. `inline` for PNG, JPEG, GIF, WebP and plain text, otherwise `attachment`.',
  },
  'cache-control': { description: 'Always `private, no-store`.' },
  'content-security-policy': {
    description: "Always `default-src 'none'; sandbox`.",
  },
};

// Generators of clients skip an operation that names `*/*` alone.
const content = { 'application/octet-stream': { type: 'string', format: 'binary' }, '*/*': {} };

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: "Returns the content of a file with its media type. The rest of the path is the `s3Key` of the upload; its slashes are not encoded. A key of another workspace is 403, whether or not the file exists. With a visitor's token, only the files of its conversation can be read: those uploaded with its tokens and those in its messages. Any other file is 404. A request may ask for one range of bytes; HEAD ignores `Range`.",
  path: { key: 'The `s3Key` of the file; its slashes are not encoded.' },
  headers: downloadHeaders('file'),
  success: { description: 'The file.', headers, content },
  more: downloadAnswers('file', { headers, content }),
  refusals: downloadRefusals,
});
