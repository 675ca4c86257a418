import { describeEndpoint } from '#lib/openapi/description.ts';
import { announcedFiles, uploadHeaders, uploadRefusals } from '#lib/openapi/upload-texts.ts';
import { endpoint } from './endpoint.ts';

const file = {
  type: 'object',
  properties: {
    files: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description: 'The image, of at most 10 MB.',
    },
  },
  required: ['files'],
};

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Stores a public image. The response is an image object for `media` fields of entries and for images of products and categories.',
    'PNG, JPEG, GIF, WebP and AVIF are recognized by their content, not by the name of the file. SVG is not accepted. The file must be complete, without bytes after its end, and 1 to 16,384 pixels wide and high.',
    'Send the file as `multipart/form-data`, or announce it as `application/json`. The response to an announcement has `upload`. Send the bytes there once, before `expiresAt`, with the `method` and `headers` of `upload`. Then POST to `/api/v1/manage/media/{id}`, which checks them. Until then, the URL of the image is 404. An image that is not confirmed within a day is removed. On AWS, a multipart body has at most 4.4 MB, unless the service was deployed with web uploads. Announce larger files.',
  ].join('\n\n'),
  headers: uploadHeaders,
  body: {
    description: 'The image, or its announcement.',
    content: { 'multipart/form-data': file, 'application/json': announcedFiles(1, 10_485_760) },
  },
  success: { description: 'The image object, or the upload URL of an announced image.' },
  refusals: uploadRefusals,
  examples: [
    {
      name: 'announce',
      summary: 'Request a direct upload of an image',
      key: 'admin',
      body: { files: [{ name: 'chef.png', type: 'image/png', size: 48213 }] },
    },
  ],
});
