import { api } from '#lib/http/api.ts';
import { deleteImage } from '#lib/media/delete-image.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: async (request) => {
    request.logDetails['imageId'] = request.params.id;
    await deleteImage(request.params.id, request);
    return { empty: true };
  },
});
