import { describeEndpoint } from '#lib/openapi/description.ts';
import { redirectHeaders } from '#lib/openapi/session-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Redirects a browser to the identity provider: open it as a page. The provider redirects to `/api/v1/session/callback`. HEAD is 405, because the request sets a cookie. If the login cannot begin, the response redirects to the console, which shows the reason.',
  query: {
    workspaceId:
      'The id of the workspace of the session. By default, and if the person is no active member there, the workspace of the last sign-in. If there is none, the first by name.',
  },
  success: {
    description: 'The URL of the identity provider, and the cookie of the login.',
    headers: redirectHeaders,
  },
});
