import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchangedPublic } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Answers the addresses of this document, of the reference page and of the management console. It needs no key.',
  path: {},
  query: {},
  headers: {
    Accept: { description: 'When it names `text/html`, the answer is a redirect to the console.' },
    'If-None-Match': { description: 'The `ETag` of the addresses as they were read before.' },
  },
  success: { description: 'The addresses.', headers: publicHeaders },
  more: {
    ...unchangedPublic,
    302: { description: 'The console, for a browser.', headers: { location: { description: 'Always `/console`.' } } },
  },
  refusals: [],
  examples: [],
});
