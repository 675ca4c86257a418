import { describeEndpoint } from '#lib/openapi/description.ts';
import { announcedFiles, uploadHeaders, uploadRefusals } from '#lib/openapi/upload-texts.ts';
import { endpoint } from './endpoint.ts';

const files = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      minItems: 1,
      maxItems: 5,
      description: 'A part of this name for each file, of at most 25 MB.',
    },
  },
  required: ['files'],
};

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: [
    'Stores 1 to 5 files of at most 25 MB each, all of them or none. Keep `id` and `s3Key` of the answer to name them in messaging.',
    'Two ways in: the files themselves as `multipart/form-data`, or an announcement as `application/json`. An announced file has `upload` in the answer: send its bytes there with the method and headers that it names, once and before `expiresAt`. On AWS a multipart body has at most 4.4 MB, unless the service was deployed with web uploads; larger files have to be announced.',
    'Send an `Idempotency-Key` to repeat an upload safely, after a broken connection or a 503: the same files, or the same announcement, within 24 hours answer the same attachments and are stored once. Files are the same by their names, types and bytes in their order, however the body is written. An announcement that is repeated answers the same `upload` while that works; after that, a file that has not arrived is announced anew, under another id.',
  ].join('\n\n'),
  path: {},
  query: {},
  headers: uploadHeaders,
  body: {
    description: 'The files, or their announcement.',
    content: { 'multipart/form-data': files, 'application/json': announcedFiles(5, 26_214_400) },
  },
  success: { description: 'The files in the order of the request.' },
  refusals: uploadRefusals,
  examples: [
    {
      name: 'announce',
      summary: 'A large file that will be sent to the bucket directly',
      key: 'desk',
      body: { files: [{ name: 'menu.pdf', type: 'application/pdf', size: 18_000_000 }] },
    },
  ],
});
