import { api } from '#lib/http/api.ts';
import { webHandler } from '#lib/http/web.ts';
import { uploadImage } from '#lib/media/upload-image.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  receive: async (request) => {
    const image = await uploadImage(request);
    request.logDetails['imageId'] = image.id;
    return { body: image };
  },
});

export const web = webHandler(handler);
