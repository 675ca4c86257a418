import { publicApi } from '#lib/http/public-api.ts';
import { documentText } from '#lib/openapi/served-document.ts';
import { endpoint } from './endpoint.ts';

const description = { contentType: 'application/json; charset=utf-8', content: documentText };

export const handler = publicApi(endpoint, () => description);
