import { announceFiles } from '#lib/attachments/announce-files.ts';
import { api } from '#lib/http/api.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  receive: async (request) => {
    const files = await announceFiles(request);
    request.logDetails['attachmentIds'] = files.map(({ id }) => id);
    return { body: { files } };
  },
});
