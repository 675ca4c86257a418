import { describeEndpoint } from '#lib/openapi/description.ts';
import {
  acceptRanges,
  contentTag,
  downloadAnswers,
  downloadHeaders,
  downloadRefusals,
} from '#lib/openapi/download-texts.ts';
import { endpoint } from './endpoint.ts';

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

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: 'Returns a public image with the media type of its content. No key is needed. A request may ask for one range of bytes; HEAD ignores `Range`.',
  path: { key: 'The last part of the `url` of an image.' },
  headers: downloadHeaders('image'),
  success: { description: 'The image.', headers, content },
  more: downloadAnswers('image', { headers, content }),
  refusals: downloadRefusals,
});
