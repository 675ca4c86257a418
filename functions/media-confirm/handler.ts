import { api } from '#lib/http/api.ts';
import { confirmImage } from '#lib/media/confirm-image.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    request.logDetails['imageId'] = request.params.id;
    return { body: await confirmImage(request.params.id, request) };
  },
});
