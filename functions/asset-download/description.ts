import { describeEndpoint } from '#lib/openapi/description.ts';
import {
  acceptRanges,
  contentTag,
  downloadAnswers,
  downloadHeaders,
  downloadRefusals,
} from '#lib/openapi/download-texts.ts';
import { endpoint } from './endpoint.ts';

const headers = {
  'content-length': { description: 'The number of bytes that follow; behind a function URL see `x-file-size`.' },
  'x-file-size': { description: 'The number of bytes of the whole file.' },
  etag: contentTag,
  'accept-ranges': acceptRanges,
  'content-disposition': {
    description:
      'The name of the file. `inline` for images, PDF, audio, video and plain text, `attachment` for all else.',
  },
  'cache-control': { description: 'Always `private, no-store`.' },
  'content-security-policy': {
    description: "`default-src 'none'; sandbox`, except on PDF, audio and video that are shown inline.",
    isOptional: true,
  },
};

// Generators of clients skip an operation that names `*/*` alone.
const content = { 'application/octet-stream': { type: 'string', format: 'binary' }, '*/*': {} };

export const description = describeEndpoint(endpoint, {
  tag: 'Messaging',
  text: 'Answers the content of a file under its own media type. The key is the `s3Key` of the upload as the rest of the path, slashes as they are. A key of another workspace is 403, whether there is such a file or not. The token of a visitor reads files that were uploaded with a token of its conversation, or that a message of it names; any other is 404. One range of bytes can be asked for; HEAD answers for the whole file.',
  path: { key: 'The `s3Key` of the file; its slashes are not encoded.' },
  query: {},
  headers: downloadHeaders('file'),
  success: { description: 'The file.', headers, content },
  more: downloadAnswers('file', { headers, content }),
  refusals: downloadRefusals,
  examples: [],
});
