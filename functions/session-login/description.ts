import { describeEndpoint } from '#lib/openapi/description.ts';
import { redirectHeaders } from '#lib/openapi/session-texts.ts';
import { endpoint } from './endpoint.ts';

export const description = describeEndpoint(endpoint, {
  tag: 'Sign-in',
  text: 'Leads a browser to the identity provider: open it as a page. The provider leads back to `/api/v1/session/callback`. HEAD is 405 here, because the call sets a cookie. A login that cannot begin leads to the console, which says why.',
  path: {},
  query: {
    workspaceId:
      'The id of the workspace to begin in. Without it, or where the person is no active member, it is the one of the last sign-in, else the first by name.',
  },
  success: {
    description: 'The address of the identity provider, and the cookie of the login.',
    headers: redirectHeaders,
  },
  refusals: [],
  examples: [],
});
