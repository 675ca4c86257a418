import { describeEndpoint } from '#lib/openapi/description.ts';
import { publicHeaders, unchanged } from '#lib/openapi/public-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'About this API',
  text: 'Returns the URLs of this document, the reference page and the management console. No key is needed.',
  success: { description: 'The URLs.', headers: publicHeaders },
  more: {
    ...unchanged('content', publicHeaders),
    302: { description: 'The console, for a browser.', headers: { location: { description: 'Always `/console`.' } } },
  },
});
