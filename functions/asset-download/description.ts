import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

const headers = {
  'content-length': { description: 'The number of bytes that follow; behind a function URL see `x-file-size`.' },
  'x-file-size': { description: 'The number of bytes of the whole file.' },
  etag: { description: 'Names the content; send it back as `If-None-Match` or `If-Range`.' },
  'accept-ranges': { description: 'Always `bytes`.' },
  'content-disposition': {
    description:
      'The name of the file. `inline` for images, PDF, audio, video and plain text, `attachment` for all else.',
  },
  'cache-control': { description: 'Always `private, no-store`.' },
  'content-security-policy': {
    description: "`default-src 'none'; sandbox`, except on PDF, audio and video that are shown inline.",
    isOptional: true,
  },
};

// Generators of clients skip an operation that names `*/*` alone.
const content = { 'application/octet-stream': { type: 'string', format: 'binary' }, '*/*': {} };

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Answers the content of a file under its own media type. The key is the `s3Key` of the upload as the rest of the path, slashes as they are. A key of another workspace is 403, whether there is such a file or not. The token of a visitor reads files that were uploaded with a token of its conversation, or that a message of it names; any other is 404. One range of bytes can be asked for; HEAD answers for the whole file.',
  path: { key: 'The `s3Key` of the file; its slashes are not encoded.' },
  query: {},
  headers: {
    Range: 'One range such as `bytes=0-1023`; several, or a malformed one, are ignored.',
    'If-None-Match': 'The `ETag` of the file as it was read before.',
    'If-Range': 'The `ETag` for which `Range` is meant; the whole file is answered when it is another.',
  },
  success: { description: 'The file.', headers, content },
  more: {
    206: {
      description: 'The range that was asked for.',
      headers: { 'content-range': { description: 'Which bytes of how many.' }, ...headers },
      content,
    },
    304: {
      description: 'The file is the one that `If-None-Match` names; there is no body.',
      headers: { etag: headers.etag },
    },
  },
  refusals: ['not_found', 'range_not_satisfiable'],
  examples: [],
});
