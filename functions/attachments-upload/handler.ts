import { announceFiles } from '#lib/attachments/announce-files.ts';
import { upload } from '#lib/attachments/upload.ts';
import { fileView } from '#lib/attachments/upload-request.ts';
import { api } from '#lib/http/api.ts';
import { isJson } from '#lib/http/body.ts';
import { rendered } from '#lib/http/respond.ts';
import { webHandler } from '#lib/http/web.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  receive: async (request) => {
    // The description has another address for announcements, but this one takes them, too.
    const announced = isJson(request.incoming.contentType) ? await announceFiles(request) : undefined;
    const files = announced ?? (await upload(request)).map(fileView);
    request.logDetails['attachmentIds'] = files.map(({ id }) => id);
    return announced ? { json: rendered(JSON.stringify({ files })) } : { body: { files } };
  },
});

export const web = webHandler(handler);
