import { createHash, randomBytes } from 'node:crypto';
import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach } from '@jest/globals';
import { s3Client, testBucket } from './files-client.ts';
import { S3FaultProxy } from './s3-fault-proxy.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const engine = process.env['AWS_ENDPOINT_URL_S3'] ?? '';
const files = s3Client({ endpoint: engine, maxAttempts: 3 });

/**
 * Puts a proxy between the functions and the bucket until the tests of the file have ended. Each test begins without
 * faults. Call it before the first request.
 */
export async function startBucketProxy(): Promise<S3FaultProxy> {
  const proxy = await S3FaultProxy.start(engine);
  process.env['AWS_ENDPOINT_URL_S3'] = proxy.url;
  afterEach(() => {
    proxy.heal();
    passSeconds();
  });
  afterAll(async () => {
    process.env['AWS_ENDPOINT_URL_S3'] = engine;
    process.hrtime.bigint = bigint;
    await proxy.stop();
  });
  process.hrtime.bigint = () => bigint() + skipped;
  return proxy;
}

const { bigint } = process.hrtime;
let skipped = 0n;

/** After a failure, a container does not ask the bucket again for some seconds. They pass at once. */
export function passSeconds(): void {
  skipped += 10_000_000_000n;
}

const title = { key: 'title', name: { en: 'Title' }, type: 'text' };
const longText = (key: string) => ({ key, name: { en: key }, type: 'longText' });

/** A workspace with a database of texts, and with a large product. */
export const openLarge = (): Promise<Workspace<'records'>> =>
  openWorkspace('records', (document) => {
    const fields = [title, ...['a', 'b', 'c', 'd'].map(longText)];
    document.cms = { models: [{ id: 'large', name: { en: 'Large' }, fields }], entries: [] };
    document.menu.products[0].description = { en: text(60_000) };
    document.apiKeys[0].memberId = 'mem_few';
    document.members[0].permissions = document.apiKeys[0].permissions;
  });

/** Text that hardly compresses. */
export const text = (bytes: number): string => randomBytes(bytes).toString('base64').slice(0, bytes);

/** An entry of nearly 350 KB. */
export const huge = (name = 'Huge') => ({
  values: { title: name, a: text(84_000), b: text(84_000), c: text(84_000), d: text(84_000) },
});

/** An entry that is just too large for the table. */
export const large = (name = 'Large') => ({ values: { title: name, a: text(60_000) } });

/** Texts of many kilobytes are compared by their hashes, so that a failure can be read. */
export const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** The keys of the files with states of a workspace. */
export async function filesOf({ workspaceId }: { readonly workspaceId: string }): Promise<string[]> {
  const list = new ListObjectsV2Command({ Bucket: testBucket(), Prefix: `history/${workspaceId}/` });
  return ((await files.send(list)).Contents ?? []).map(({ Key = '' }) => Key);
}

/** As the lifecycle of the bucket does. */
export async function removeFiles(workspace: { readonly workspaceId: string }): Promise<void> {
  for (const Key of await filesOf(workspace)) await files.send(new DeleteObjectCommand({ Bucket: testBucket(), Key }));
}

export interface Row {
  readonly id: string;
  readonly action: string;
}

/** The calls of the history of a workspace. */
export const historyOf = ({ manage }: Workspace<'records'>) => ({
  manage: (request: string, body?: object) => manage(request, body),
  rowsOf: async (path: string): Promise<Row[]> => (await manage(`GET ${path}/versions`)).json.data,
  /** The hash of what GET answers. */
  shown: async (path: string): Promise<string> => hashOf((await manage(`GET ${path}`)).text),
  version: (path: string, row: Row | undefined) => manage(`GET ${path}/versions/${row?.id}`),
  restore: (path: string, row: Row | undefined) => manage(`POST ${path}/restore`, { version: row?.id }),
});
