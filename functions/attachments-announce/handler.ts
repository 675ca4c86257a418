import { announceFiles } from '#lib/attachments/announce-files.ts';
import { receivingApi } from '#lib/http/receiving-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = receivingApi(endpoint, async (request) => {
  const files = await announceFiles(request);
  request.logDetails['attachmentIds'] = files.map(({ id }) => id);
  return { body: { files } };
});
