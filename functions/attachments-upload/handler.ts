import { upload } from '#lib/attachments/upload.ts';
import { bodyApi } from '#lib/http/body-api.ts';
import { endpoint } from './endpoint.ts';

export const { handler, web } = bodyApi(endpoint, async (request) => {
  const files = await upload(request);
  request.logDetails['attachmentIds'] = files.map(({ id }) => id);
  return { body: { files } };
});
