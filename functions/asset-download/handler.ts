import { assetNotFound, readAsset } from '#lib/attachments/read-asset.ts';
import { isKeyOfWorkspace } from '#lib/domain/messaging/attachment.ts';
import { objectSize } from '#lib/files/object-size.ts';
import { permissionDenied } from '#lib/http/errors.ts';
import { streamApi } from '#lib/http/stream-api.ts';
import { Attachments } from '#lib/table/messaging/attachments.ts';
import { endpoint } from './endpoint.ts';

export const handler = streamApi(
  endpoint,
  async ({ principal, table, params, method, headers, logDetails }) => {
    if (!isKeyOfWorkspace(params.key, principal.workspaceId)) {
      throw permissionDenied('This file does not belong to the workspace of this API key.');
    }
    const attachment = await new Attachments(table, principal).findByKey(params.key, objectSize);
    if (!attachment) throw assetNotFound();
    logDetails['attachmentId'] = attachment.id;
    return readAsset(attachment, { method, headers });
  },
  // Without a look into the bucket nothing is stored.
  async ({ principal, table, params: { key } }) =>
    isKeyOfWorkspace(key, principal.workspaceId) && new Attachments(table, principal).findByKey(key),
);
