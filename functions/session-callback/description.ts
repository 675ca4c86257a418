import { describeEndpoint } from '#lib/openapi/description.ts';
import { redirectHeaders } from '#lib/openapi/session-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Begins the session and redirects to the console. Only the identity provider sends browsers here. A failure also redirects to the console, with `error` in the URL: `cancelled`, `expired`, `not_a_member`, `identity_mismatch` or `unavailable`. HEAD is 405, because the request begins a session.',
  query: {
    code: 'The code of the identity provider.',
    state: 'The state of the login.',
    iss: 'The name of the identity provider.',
    error: 'The reason why the identity provider refused the sign-in.',
  },
  success: { description: 'The URL of the console, and the cookie of the session.', headers: redirectHeaders },
});
