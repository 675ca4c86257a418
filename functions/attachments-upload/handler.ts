import { upload } from '#lib/attachments/upload.ts';
import { api } from '#lib/http/api.ts';
import { webHandler } from '#lib/http/web.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  receive: async (request) => {
    const files = await upload(request);
    request.logDetails['attachmentIds'] = files.map(({ id }) => id);
    return { body: { files } };
  },
});

export const web = webHandler(handler);
