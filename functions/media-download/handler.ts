import { publicStreamApi } from '#lib/http/stream-api.ts';
import { readPublicImage } from '#lib/media/read-image.ts';
import { endpoint } from './endpoint.ts';

export const handler = publicStreamApi(endpoint, ({ table, params, method, headers, logDetails }) => {
  logDetails['imageId'] = params.key;
  return readPublicImage(table, params.key, { method, headers });
});
