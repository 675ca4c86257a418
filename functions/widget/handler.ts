import { publicApi } from '#lib/http/public-api.ts';
import { widgetFile } from '#lib/widget/widget-file.ts';
import { endpoint } from './endpoint.ts';

export const handler = publicApi(endpoint, () => widgetFile);
