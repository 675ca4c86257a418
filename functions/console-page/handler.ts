import { consolePage } from '#lib/console/page.ts';
import { publicApi } from '#lib/http/public-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = publicApi(endpoint, consolePage);
