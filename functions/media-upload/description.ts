import { describeEndpoint } from '#lib/openapi/description.ts';
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

const announced = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the file.' },
          type: { type: 'string', description: 'Its media type.' },
          size: { type: 'integer', minimum: 0, maximum: 10_485_760, description: 'Its exact number of bytes.' },
        },
        required: ['name', 'type', 'size'],
        additionalProperties: false,
      },
    },
  },
  required: ['files'],
  additionalProperties: false,
};

export const description = describeEndpoint(endpoint, {
  tag: 'Management',
  text: [
    'Stores one image for everybody to see. The answer is an image object, ready for `media` fields of entries and for the images of products and categories.',
    'PNG, JPEG, GIF, WebP and AVIF are told by their content, whatever the file is called; SVG is none of them. The file must be whole, end where its format ends, and have 1 to 16,384 pixels each way.',
    'Send the file as `multipart/form-data`, or announce it as `application/json`: the answer then has `upload`. Send the bytes there with the method and headers that it names, once and before `expiresAt`, and then POST to `/api/v1/manage/media/{id}`, which checks them. Until then the address of the image is 404. What is not confirmed for a day is removed. On AWS a multipart body has at most 4.4 MB, unless the service was deployed with web uploads; announce larger files.',
  ].join('\n\n'),
  path: {},
  query: {},
  headers: {
    'Idempotency-Key': 'A text of your own that names this upload; a refused upload does not use it up.',
  },
  body: {
    description: 'The image, or what is said of it beforehand.',
    content: { 'multipart/form-data': file, 'application/json': announced },
  },
  success: { description: 'The image object, or where to send the bytes of an announced image.' },
  refusals: [
    'unsupported_media_type',
    'file_too_large',
    'body_too_large',
    'malformed_multipart',
    'no_files',
    'too_many_files',
    'invalid_body',
    'validation_failed',
    'conflict',
    'idempotency_key_reused',
  ],
  examples: [
    {
      name: 'announce',
      summary: 'An image that is sent to the bucket directly',
      key: 'admin',
      body: { files: [{ name: 'chef.png', type: 'image/png', size: 48213 }] },
    },
  ],
});
