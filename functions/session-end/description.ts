import { describeEndpoint } from '#lib/openapi/description.ts';
import { sessionCookieHeader } from '#lib/openapi/session-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Ends the session with this service. `logoutUrl` is a page that also ends the session with the identity provider, and redirects to the console. The next login then asks for credentials.',
  success: { description: 'The page to open next.', headers: sessionCookieHeader },
  examples: [{ name: 'end', summary: 'Signed out', session: 'lina@saffron.example' }],
});
