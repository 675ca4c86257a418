import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchangedPublic } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns the URLs of this document, the reference page and the management console. No key is needed.',
  path: {},
  query: {},
  headers: {
    Accept: { description: 'If it contains `text/html`, the response is a redirect to the console.' },
    'If-None-Match': { description: 'The `ETag` of an earlier response.' },
  },
  success: { description: 'The URLs.', headers: publicHeaders },
  more: {
    ...unchangedPublic,
    302: { description: 'The console, for a browser.', headers: { location: { description: 'Always `/console`.' } } },
  },
  refusals: [],
  examples: [],
});
