import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { findEndpoints, routeTable } from '#lib/endpoints.ts';
import { startDynamoDb } from '#lib/local/dynamodb.ts';
import { setAddresses, setFilesEnvironment, setFunctionEnvironment } from '#lib/local/environment.ts';
import { filesBucket, startS3 } from '#lib/local/s3/s3-server.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { Table } from '#lib/table/table.ts';
import { importDocument } from '#lib/workspace/import-document.ts';
import { figure, table } from './figures.ts';
import { peakMegabytes, resetPeak, residentMegabytes } from './process-usage.ts';
import type { Workbench } from './workbench.ts';

const tableName = 'bench';
const functionName = 'attachments-upload';
const workspaceId = 'bench-uploads';
export const secret = 'bench-uploads-key-0000000000';
export const fileBytes = 26_214_400;
export const megabytesMax = 64;
const program = join(import.meta.dirname, 'run-web.cjs');

/** The number of files per request, and of concurrent requests. */
const rounds = [
  { files: 1, requests: 1 },
  { files: 5, requests: 1 },
  { files: 1, requests: 4 },
] as const;

/** The memory of a process that receives uploads, above its idle memory. */
export async function measureUploads(bench: Workbench): Promise<string> {
  await startEngines(bench);
  const bundles = await bundleFunctions(undefined, join(bench.folder, 'build', 'functions'));
  const bundle = bundles.find(({ name }) => name === functionName);
  if (!bundle) throw new Error(`There is no function ${functionName}.`);
  const rows: string[][] = [];
  for (const { files, requests } of rounds) {
    // Starts a new process, because a used one keeps memory that it has allocated.
    const { pid, url } = await startServer(bench, bundle.file);
    // The first upload does not count, because it allocates memory only one time.
    await upload(url, 1, 1_000);
    const idle = residentMegabytes(pid);
    resetPeak(pid);
    bench.note(`Uploading ${files} x 25 MB, ${requests} at once`);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: requests }, () => upload(url, files, fileBytes)));
    const seconds = (performance.now() - startedAt) / 1_000;
    rows.push([`${files} x 25 MB`, String(requests), figure(idle), figure(peakMegabytes(pid) - idle), figure(seconds)]);
  }
  const title = `Uploads: memory of a process of ${functionName} (goal: under ${megabytesMax} MB above idle for one file)`;
  return table(title, ['request', 'at once', 'idle RSS in MB', 'peak above idle in MB', 'seconds'], rows);
}

/** Starts the engines and a workspace with a key for messaging. */
export async function startEngines(bench: Workbench): Promise<void> {
  const engine = await startDynamoDb();
  bench.running.defer(() => engine.stop());
  setFunctionEnvironment(engine, tableName, routeTable(await findEndpoints()));
  const bucket = await startS3({ ...engine, bucket: filesBucket });
  bench.running.defer(() => bucket.stop());
  setFilesEnvironment(bucket);
  setAddresses('http://127.0.0.1');
  await engine.ready;
  await createTable(tableName);
  const permissions = ['messaging:conversation:engage'];
  const document = {
    version: 1,
    workspace: { id: workspaceId, name: 'Bench', languages: ['en'], defaultLanguage: 'en', currency: null },
    members: [{ id: 'mem_1', name: 'Bench', permissions }],
    apiKeys: [{ id: 'key_1', name: 'Bench', secret, memberId: 'mem_1', permissions }],
  };
  const file = join(bench.folder, 'uploads.json');
  await writeFile(file, JSON.stringify(document));
  await importDocument(new Table({ client: tableClient('import'), name: tableName }), file);
}

/** Starts a process that serves one function over plain HTTP. */
export async function startServer(bench: Workbench, bundleFile: string): Promise<{ pid: number; url: string }> {
  const env = { ...process.env, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [program, bundleFile], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  bench.running.defer(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    process.off('exit', killAtExit);
  });
  const [line = ''] = await once(createInterface({ input: child.stdout }), 'line');
  return { pid: child.pid ?? -1, url: `http://127.0.0.1:${String(line).split(' ')[1]}` };
}

/** The answer to an upload. */
interface Uploaded {
  readonly files: readonly { readonly s3Key: string }[];
}

export async function upload(url: string, files: number, bytes: number): Promise<Uploaded> {
  const form = new FormData();
  for (let file = 0; file < files; file++) form.append('files', new Blob([Buffer.alloc(bytes, file)]), 'menu.bin');
  const address = `${url}/api/v1/connect/attachments`;
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(address, { method: 'POST', headers, body: form });
  if (response.status !== 200) throw new Error(`An upload was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Uploaded;
}
