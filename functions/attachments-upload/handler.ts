import { upload } from '#lib/attachments/upload.ts';
import { bodyApi } from '#lib/http/body-api.ts';
import { endpoint } from './endpoint.ts';

export const { handler, web } = bodyApi(endpoint, async (request) => ({ body: { files: await upload(request) } }));
