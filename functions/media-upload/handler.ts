import { requireMultipart } from '#lib/attachments/upload-request.ts';
import { api } from '#lib/http/api.ts';
import { badRequest } from '#lib/http/errors.ts';
import { webHandler } from '#lib/http/web.ts';
import { imageView } from '#lib/media/image-view.ts';
import { receiveImage } from '#lib/media/receive-image.ts';
import { storeImage } from '#lib/media/store-image.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  receive: async (request) => {
    const { incoming, requestIssues, logDetails } = request;
    requireMultipart(incoming, '/api/v1/manage/media/announce');
    const bytes = await receiveImage(incoming, requestIssues.length > 0 ? badRequest(requestIssues) : undefined);
    const image = await storeImage(bytes, request);
    logDetails['imageId'] = image.id;
    return { body: imageView(image) };
  },
});

export const web = webHandler(handler);
