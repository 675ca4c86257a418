import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { figure, table } from './figures.ts';
import { peakMegabytes, resetPeak, residentMegabytes } from './process-usage.ts';
import { fileBytes, megabytesMax, secret, startEngines, startServer, upload } from './uploads.ts';
import type { Workbench } from './workbench.ts';

const functionName = 'asset-download';

/** Concurrent downloads. The clients either read as fast as possible or one piece every 5 ms. */
const rounds = [
  { requests: 1, pause: 0 },
  { requests: 1, pause: 5 },
  { requests: 4, pause: 5 },
] as const;

/** The memory of a process that serves files, above its idle memory. */
export async function measureDownloads(bench: Workbench): Promise<string> {
  await startEngines(bench);
  const bundles = await bundleFunctions(undefined, join(bench.folder, 'build', 'functions'));
  const fileOf = (wanted: string): string => {
    const bundle = bundles.find(({ name }) => name === wanted);
    if (!bundle) throw new Error(`There is no function ${wanted}.`);
    return bundle.file;
  };
  const uploads = await startServer(bench, fileOf('attachments-upload'));
  const [small, large] = await Promise.all([upload(uploads.url, 1, 1_000), upload(uploads.url, 1, fileBytes)]);
  const rows: string[][] = [];
  for (const { requests, pause } of rounds) {
    const { pid, url } = await startServer(bench, fileOf(functionName));
    const download = (uploaded: typeof small) =>
      read(`${url}/api/v1/connect/assets/${uploaded.files[0]?.s3Key}`, pause);
    // The first download does not count, because it allocates memory only one time.
    await download(small);
    const idle = residentMegabytes(pid);
    resetPeak(pid);
    bench.note(`Downloading 25 MB, ${requests} at once`);
    const bytes = await Promise.all(Array.from({ length: requests }, () => download(large)));
    if (bytes.some((count) => count !== fileBytes)) throw new Error(`Bytes have gone missing: ${bytes}.`);
    rows.push([String(requests), pause > 0 ? 'slow' : 'fast', figure(idle), figure(peakMegabytes(pid) - idle)]);
  }
  const title = `Downloads: memory of a process of ${functionName} (goal: under ${megabytesMax} MB above idle for one file)`;
  return table(title, ['at once', 'client', 'idle RSS in MB', 'peak above idle in MB'], rows);
}

/** @returns the number of bytes received */
async function read(url: string, pause: number): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${secret}` } });
  if (response.status !== 200 || !response.body)
    throw new Error(`A download was answered ${response.status}: ${await response.text()}`);
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.length;
    if (pause > 0) await delay(pause);
  }
  return bytes;
}
