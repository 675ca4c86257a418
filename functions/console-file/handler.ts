import { consoleFile } from '#lib/console/files.ts';
import { notFound } from '#lib/http/errors.ts';
import { publicApi } from '#lib/http/public-api.ts';
import { endpoint } from './endpoint.ts';

export const handler = publicApi(endpoint, async ({ file }) => {
  const found = await consoleFile(file);
  if (!found) throw notFound('File');
  return found;
});
