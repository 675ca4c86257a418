import { describeEndpoint } from '#lib/openapi/description.ts';
import { sessionCookieHeader } from '#lib/openapi/session-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Ends the session here. `logoutUrl` is a page that ends the one at the identity provider, too, and leads back to the console: the next login asks who it is.',
  path: {},
  query: {},
  success: { description: 'Where to go next.', headers: sessionCookieHeader },
  refusals: [],
  examples: [{ name: 'end', summary: 'Signed out', session: 'lina@saffron.example' }],
});
