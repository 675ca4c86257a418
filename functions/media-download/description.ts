import { describeEndpoint } from '#lib/openapi/description.ts';
import { endpoint } from './endpoint.ts';

const headers = {
  'content-length': { description: 'The number of bytes that follow.' },
  etag: { description: 'Names the content; send it back as `If-None-Match` or `If-Range`.' },
  'accept-ranges': { description: 'Always `bytes`.' },
  'cache-control': {
    description: 'Always `public, max-age=31536000, immutable`: the content of an address never changes.',
  },
  'content-disposition': { description: 'Always `inline`.' },
  'content-security-policy': { description: "Always `default-src 'none'; sandbox`." },
  'cross-origin-resource-policy': { description: 'Always `cross-origin`: any website may show the image.' },
};

// Generators of clients skip an operation that names `image/*` alone.
const content = { 'application/octet-stream': { type: 'string', format: 'binary' }, 'image/*': {} };

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Answers a public image under the media type of its content. No key is needed. One range of bytes can be asked for; HEAD answers for the whole file.',
  path: { key: 'The last part of the `url` of an image.' },
  query: {},
  headers: {
    Range: 'One range such as `bytes=0-1023`; several, or a malformed one, are ignored.',
    'If-None-Match': 'The `ETag` of the image as it was read before.',
    'If-Range': 'The `ETag` for which `Range` is meant; the whole file is answered when it is another.',
  },
  success: { description: 'The image.', headers, content },
  more: {
    206: {
      description: 'The range that was asked for.',
      headers: { 'content-range': { description: 'Which bytes of how many.' }, ...headers },
      content,
    },
    304: {
      description: 'The image is the one that `If-None-Match` names; there is no body.',
      headers: { etag: headers.etag },
    },
  },
  refusals: ['not_found', 'range_not_satisfiable'],
  examples: [],
});
