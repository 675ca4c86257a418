import { publicApi } from '#lib/http/public-api.ts';
import { endpoint } from './endpoint.ts';

const vary = { vary: 'Accept, Accept-Encoding' };
const addresses = {
  contentType: 'application/json; charset=utf-8',
  content: `${JSON.stringify({ openapi: '/openapi.json', docs: '/docs', console: '/console' })}\n`,
  headers: vary,
};

/** lib/spec/additions.md section 8 */
export const handler = publicApi(endpoint, (_, { accept = '' }) =>
  /\btext\/html\b/i.test(accept) ? { redirectTo: '/console', headers: vary } : addresses,
);
