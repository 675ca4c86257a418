import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Attempts } from './attempts.ts';
import { findChromium } from './chromium.ts';
import { checkScreens } from './console/look.ts';
import { type Part, Room } from './console/room.ts';

/**
 * Opens every screen of the console and performs the tasks of its users. Each area has a file in `console/areas` with
 * its screens and stories. `npm run verify:console -- sold` runs the stories and screens whose names contain this word.
 * With SCREENSHOTS=<folder> it writes pictures there.
 */
const program = findChromium() ?? '';
if (program === '') {
  console.error('This needs Chromium: sudo apt-get install chromium, or CHROMIUM=/path/to/it.');
  process.exit(2);
}

const word = process.argv[2] ?? '';
const attempts = new Attempts();
let room: Room | undefined;
try {
  const parts = await readParts();
  const named = <Of extends { readonly name: string }>(all: readonly Of[]) =>
    all.filter(({ name }) => name.includes(word));
  for (const { name, run } of named(parts.flatMap(({ stories }) => stories)))
    await attempts.try(name, async (isAgain) => {
      // The state of a failed story must not affect its retry or the next stories.
      const here = await enter(isAgain);
      await run(here);
      here.requireNoComplaints();
    });
  await verifyScreens(named(parts.flatMap((part) => part.screens)));
} finally {
  await room?.close();
  attempts.finish();
}

async function enter(isFresh = false): Promise<Room> {
  if (isFresh) {
    const before = room;
    room = undefined;
    await before?.close();
  }
  room ??= await Room.open(program);
  return room;
}

async function verifyScreens(screens: Part['screens']): Promise<void> {
  if (screens.length === 0) return;
  const startedAt = Date.now();
  const faults = await checkScreens(await enter(), screens, process.env['SCREENSHOTS']);
  const faulty = screens.filter(({ name }) => faults.get(name)?.length);
  console.log(`${screens.length} screens in 8 looks, ${faulty.length} with faults (${Date.now() - startedAt} ms)`);
  for (const screen of faulty)
    await attempts.try(`screen: ${screen.name}`, async (isAgain) => {
      if (isAgain) await room?.renewBrowser();
      const seen = isAgain ? await checkScreens(await enter(), [screen], process.env['SCREENSHOTS']) : faults;
      const found = seen.get(screen.name) ?? [];
      if (found.length > 0) throw new Error(found.join('\n'));
    });
}

async function readParts(): Promise<Part[]> {
  const files = (await readdir(join(import.meta.dirname, 'console/areas')))
    .filter((name) => name.endsWith('.ts'))
    .sort();
  return Promise.all(files.map((name) => import(`./console/areas/${name}`)));
}
