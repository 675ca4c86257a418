import { notFound } from '#lib/http/errors.ts';
import { publicApi } from '#lib/http/public-api.ts';
import { referenceFile } from '#lib/reference/files.ts';
import { endpoint } from './endpoint.ts';

export const handler = publicApi(endpoint, ({ file }) => {
  const found = referenceFile(file);
  if (!found) throw notFound('File');
  return found;
});
