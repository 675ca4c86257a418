import * as z from 'zod/mini';
import { AnnouncedFile } from '#lib/domain/files/uploaded-file.ts';
import { defineEndpoint } from '#lib/http/endpoint.ts';
import { idempotencyKey } from '#lib/http/headers.ts';
import { forVisitors } from '#lib/http/presets.ts';
import type { DescriptionOf } from '#lib/openapi/description.ts';
import { announcementBody, announcementRefusals, direct, uploadHeaders } from '#lib/openapi/upload-texts.ts';

/** lib/spec/decisions.md section 6 */
export const endpoint = defineEndpoint({
  methods: ['POST'],
  path: '/api/v1/connect/attachments/announce',
  summary: 'Request direct uploads of up to 5 files for messages.',
  ...forVisitors,
  permissions: ['messaging:conversation:engage'],
  headers: z.object({ 'Idempotency-Key': idempotencyKey() }),
  response: z.object({ files: z.array(AnnouncedFile) }),
  uses: ['table:read', 'table:transact', 'table:uploads', 'files:write'],
});

export const description = (): DescriptionOf<typeof endpoint> => ({
  tag: 'Messaging',
  text: [
    `Announces 1 to 5 files of at most 25 MB each. ${direct} A file can be read and referred to when its bytes have arrived.`,
    'Send an `Idempotency-Key` to retry an announcement safely. A retry within 24 hours gets the same attachments, with the same `upload` while that is valid. Afterwards, a file that has not arrived is announced again, under another id.',
  ].join('\n\n'),
  headers: uploadHeaders,
  body: announcementBody(5, 25),
  success: { description: 'The files in the order of the request.' },
  refusals: announcementRefusals,
  examples: [
    {
      name: 'announce',
      summary: 'Request a direct upload of a large file',
      key: 'desk',
      body: { files: [{ name: 'menu.pdf', type: 'application/pdf', size: 18_000_000 }] },
    },
  ],
});
