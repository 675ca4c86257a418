import { receivingApi } from '#lib/http/receiving-api.ts';
import { webHandler } from '#lib/http/web.ts';
import { imageView } from '#lib/media/image-view.ts';
import { receiveImage, storeImage } from '#lib/media/store-image.ts';
import { endpoint } from './endpoint.ts';

export const handler = receivingApi(endpoint, async (request) => {
  const image = await storeImage(await receiveImage(request), request);
  request.logDetails['imageId'] = image.id;
  return { body: imageView(image) };
});

export const web = webHandler(handler);
