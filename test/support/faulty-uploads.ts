import { FaultProxy } from './fault-proxy.ts';
import { openOwnTable } from './own-table.ts';
import { S3FaultProxy } from './s3-fault-proxy.ts';
import { type FilesOfWorkspace, leftovers, sweepFiles } from './stored-files.ts';
import { UploadServer } from './upload-server.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** A server that receives uploads, with a table and a bucket that can fail. */
export interface FaultyUploads {
  readonly kitchens: readonly Workspace<'files'>[];
  readonly table: FaultProxy;
  readonly bucket: S3FaultProxy;
  readonly server: UploadServer;
  /** Waits for all requests, ends all faults and sweeps. @returns the remaining data, kitchen by kitchen */
  settle(): Promise<FilesOfWorkspace[]>;
  stop(): Promise<void>;
}

/** Opens this number of kitchens. Each concurrent upload uses one with separate faults. */
export async function openFaultyUploads(count = 1): Promise<FaultyUploads> {
  // A sweep reads all workspaces, so the test needs a table that no other test uses.
  await openOwnTable();
  const kitchens = await Promise.all(Array.from({ length: count }, () => openWorkspace('files')));
  const look = () => Promise.all(kitchens.map(({ workspaceId }) => leftovers(workspaceId)));
  // The modules that receive uploads are loaded after this line and use the proxies. The modules for assertions do not.
  const table = await FaultProxy.start();
  const bucket = await S3FaultProxy.start();
  await look();
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = table.url;
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  const server = await UploadServer.start();
  return {
    kitchens,
    table,
    bucket,
    server,
    async settle() {
      await server.settled();
      table.heal();
      bucket.heal();
      await sweepFiles('9999');
      return look();
    },
    async stop() {
      await server.stop();
      await Promise.all([table.stop(), bucket.stop()]);
    },
  };
}
