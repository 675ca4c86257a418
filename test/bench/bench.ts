import { parseArgs } from 'node:util';
import { measureReplies } from './ai.ts';
import { measureColdStarts } from './cold.ts';
import { measureDownloads } from './downloads.ts';
import { measureLists } from './lists.ts';
import { measureLoad } from './load.ts';
import { measureManagement } from './manage.ts';
import { measureMemory } from './memory.ts';
import { measureUploads } from './uploads.ts';
import { measureWebhooks } from './webhooks.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const usage = `Usage: npm run bench -- [part...] [options]
  lists      calls, round trips, read units and time of warm lists, from 100 items to --max
  manage     round trips, read units and time of each management write, among 100 records to --max
  load       processor time a request and requests a second at 8 connections
  cold       from spawn to first answer of every function, and the sizes of the bundles
  memory     peak memory of one process that reads many workspaces
  uploads    memory of one process that takes files of 25 MB
  downloads  memory of one process that hands them out
  webhooks   time from a write to its arrival at ten receivers, and what one that hangs adds
  ai         time to the first delta of an AI reply over its model's own, bytes of a long one, calls and units
Without a part, all of them.
  --max N         the largest list; importing 100000 items takes minutes (default 100000)
  --only PATTERN  the functions that "cold" starts (default: all that take keys)
  --workspaces N  how many workspaces "memory" reads (default 200)
With PEERS_DIR set, "load" also measures the services set up there; test/bench/peer-targets.ts says how they must be.
`;

const { parts, itemsMax, workspaces, only } = readOptions();

type Measure = (bench: Workbench) => Promise<string>;

const measurements: Readonly<Record<string, Measure>> = {
  lists: (bench) => measureLists(bench, itemsMax),
  manage: (bench) => measureManagement(bench, itemsMax),
  load: measureLoad,
  cold: (bench) => measureColdStarts(bench, only),
  memory: (bench) => measureMemory(bench, workspaces),
  uploads: measureUploads,
  downloads: measureDownloads,
  webhooks: measureWebhooks,
  ai: measureReplies,
};

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort());

// The reader of the output may close its pipe, but the started processes must still be stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => interrupted.abort());

process.exit(await run());

/** @returns the exit code */
async function run(): Promise<number> {
  if (process.platform !== 'linux') {
    console.error('The benchmark reads processor time and memory from /proc, which only Linux has.');
    return 1;
  }
  try {
    for (const part of parts) console.log(await withWorkbench(interrupted.signal, measurements[part] as Measure));
    return 0;
  } catch (error) {
    if (!interrupted.signal.aborted) console.error(error);
    return interrupted.signal.aborted ? 130 : 1;
  }
}

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      strict: true,
      allowPositionals: true,
      options: {
        max: { type: 'string', default: '100000' },
        workspaces: { type: 'string', default: '200' },
        only: { type: 'string', default: '' },
      },
    });
    const all = ['lists', 'manage', 'load', 'cold', 'memory', 'uploads', 'downloads', 'webhooks', 'ai'];
    const unknown = positionals.find((part) => !all.includes(part));
    if (unknown !== undefined) throw new Error(`There is no part ${unknown}.`);
    const itemsMax = Number(values.max);
    const workspaces = Number(values.workspaces);
    if (!(itemsMax >= 100)) throw new Error(`--max must be at least 100, not ${values.max}.`);
    if (!(Number.isInteger(workspaces) && workspaces > 0)) {
      throw new Error(`--workspaces must be a whole number, not ${values.workspaces}.`);
    }
    return { parts: positionals.length > 0 ? positionals : all, itemsMax, workspaces, only: new RegExp(values.only) };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}
