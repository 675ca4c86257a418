import { publicApi } from '#lib/http/public-api.ts';
import { referencePage } from '#lib/reference/page.ts';
import { endpoint } from './endpoint.ts';

export const handler = publicApi(endpoint, () => referencePage);
