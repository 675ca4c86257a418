import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns this document. No key is needed.',
  headers: { 'If-None-Match': 'The `ETag` of the document from an earlier response.' },
  success: { description: 'The document.', headers: publicHeaders },
  more: unchanged('content', publicHeaders),
});
