import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '#lib/domain/failure.ts';
import type { ServiceOptions } from '#lib/local/serve.ts';

const usage = `Usage: npm start -- [options]
  --port N          port to listen on (default 3000; 0 picks a free one)
  --host HOST       address to listen on (default 127.0.0.1)
  --data DIR        keep tables in this directory; without it everything lives in memory
  --workspace FILE  load this workspace document instead of the demo; may be given several times;
                    a workspace that the directory holds already stays as it is
  --limits aws      refuse what the platform would refuse for its size
`;

if (process.argv.includes('--help')) {
  process.stdout.write(usage);
  process.exit(0);
}

// The next start then neither strips types nor compiles.
enableCompileCache(join(import.meta.dirname, '../.build/start-cache'));

const stopRequest = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopRequest.abort());

// The reader of the output may close its pipe. The service continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// On AWS this ends only one container; here it would end the whole service.
process.on('unhandledRejection', async (reason) => {
  const { logUnawaited } = await import('#lib/local/service.ts');
  logUnawaited(reason);
});

process.exit(await run(readOptions()));

/** @returns the exit code */
async function run(options: ServiceOptions): Promise<number> {
  try {
    const { startService } = await import('#lib/local/service.ts');
    const service = await startService(options, stopRequest.signal);
    console.log(['', ...service.banner, '', `ready ${service.url}`].join('\n'));
    const loss = await Promise.race([service.engineFailed, untilStopRequest()]);
    await service.stop();
    if (loss) throw loss;
    return 0;
  } catch (error) {
    if (stopRequest.signal.aborted) return 0;
    console.error(error instanceof Failure ? error.message : error);
    return 1;
  }
}

function untilStopRequest(): Promise<void> {
  return new Promise((resolve) => {
    if (stopRequest.signal.aborted) resolve();
    stopRequest.signal.addEventListener('abort', () => resolve());
  });
}

function readOptions(): ServiceOptions {
  try {
    const { values } = parseArgs({
      strict: true,
      options: {
        port: { type: 'string', default: '3000' },
        host: { type: 'string', default: '127.0.0.1' },
        data: { type: 'string' },
        workspace: { type: 'string', multiple: true, default: [] },
        limits: { type: 'string' },
      },
    });
    const { port, host, data, workspace, limits } = values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(`--port must be 0 to 65535, not ${port}.`);
    if ([host, data, ...workspace].includes('')) throw new Error('--host, --data and --workspace must not be empty.');
    if (limits !== undefined && limits !== 'aws') throw new Error(`--limits must be aws, not ${limits}.`);
    return { host, port: Number(port), data, workspaces: workspace, limits: limits ?? 'ours' };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}
