import { bodyApi } from '#lib/http/body-api.ts';
import { uploadImage } from '#lib/media/upload-image.ts';
import { endpoint } from './endpoint.ts';

export const { handler, web } = bodyApi(endpoint, async (request) => {
  const image = await uploadImage(request);
  request.logDetails['imageId'] = image.id;
  return { body: image };
});
