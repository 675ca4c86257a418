import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalService } from '#test/support/processes.ts';
import { findChromium } from './chromium.ts';
import { lookAtAll } from './console/look.ts';
import { type Part, Room } from './console/room.ts';
import { writeOtherWorkspace, writeWorkspace } from './console/workspace.ts';

/**
 * Looks at every screen of the console, and does what people do with it. Each area has a file in `console/areas` with its
 * screens and stories. `npm run verify:console -- sold` runs the stories and screens whose names have this word.
 * With SCREENSHOTS=<folder> it leaves pictures there.
 */
const program = findChromium();
if (program === undefined) {
  console.error('This needs Chromium: sudo apt-get install chromium, or CHROMIUM=/path/to/it.');
  process.exit(2);
}

const word = process.argv[2] ?? '';
const folder = await mkdtemp(join(tmpdir(), 'verify-console-'));
const [file, otherFile] = ['workspace.json', 'other.json'].map((name) => join(folder, name)) as [string, string];
await Promise.all([writeWorkspace(file), writeOtherWorkspace(otherFile)]);
const service = await LocalService.start('--workspace', file, '--workspace', otherFile);
const room = await Room.open(service.url, program);
const faults: string[] = [];
try {
  const parts = await readParts();
  const named = <Of extends { readonly name: string }>(all: readonly Of[]) =>
    all.filter(({ name }) => name.includes(word));
  for (const { name, run } of named(parts.flatMap(({ stories }) => stories))) await tell(name, () => run(room));
  const screens = named(parts.flatMap((part) => part.screens));
  const startedAt = Date.now();
  const { faults: seen, unlike } = await lookAtAll(room, screens, process.env['SCREENSHOTS']);
  faults.push(...seen, ...unlike, ...room.complaints);
  console.log(`${unlike.length === 0 ? 'ok ' : 'NOT'} ${screens.length} screens are mirror images in Arabic`);
  console.log(
    `${seen.length === 0 ? 'ok ' : 'NOT'} ${screens.length} screens in 8 looks (${Date.now() - startedAt} ms)`,
  );
} finally {
  await room.close();
  await service.stop();
  await rm(folder, { recursive: true });
}
if (faults.length > 0) {
  console.error([...new Set(faults)].join('\n\n'));
  process.exit(1);
}

async function tell(name: string, run: () => Promise<void>): Promise<void> {
  const startedAt = Date.now();
  try {
    await run();
    console.log(`ok  ${name} (${Date.now() - startedAt} ms)`);
  } catch (error) {
    console.log(`NOT ${name}`);
    faults.push(`${name}: ${(error as Error).stack}`);
  }
}

async function readParts(): Promise<Part[]> {
  const files = (await readdir(join(import.meta.dirname, 'console/areas')))
    .filter((name) => name.endsWith('.ts'))
    .sort();
  return Promise.all(files.map((name) => import(`./console/areas/${name}`)));
}
