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

/** A room that is renewed after a failure, whose state must not affect the retry or the next stories. */
class Lane {
  #room: Room | undefined;

  async enter(isFresh = false): Promise<Room> {
    if (isFresh) await this.leave();
    this.#room ??= await Room.open(program);
    return this.#room;
  }

  async leave(): Promise<void> {
    const before = this.#room;
    this.#room = undefined;
    await before?.close();
  }
}

// As many as a small machine has cores.
const lanes = [new Lane(), new Lane()] as const;
try {
  const parts = await readParts();
  const waiting = parts.map(({ stories }) => named(stories)).sort((one, other) => other.length - one.length);
  await Promise.all(
    lanes.map(async (lane) => {
      for (let stories = waiting.shift(); stories; stories = waiting.shift()) await tellStories(lane, stories);
    }),
  );
  await verifyScreens(lanes[0], named(parts.flatMap((part) => part.screens)));
} finally {
  await Promise.all(lanes.map((lane) => lane.leave()));
  attempts.finish();
}

function named<Of extends { readonly name: string }>(all: readonly Of[]): Of[] {
  return all.filter(({ name }) => name.includes(word));
}

async function tellStories(lane: Lane, stories: Part['stories']): Promise<void> {
  for (const { name, run } of stories)
    await attempts.try(name, async (isAgain) => {
      const room = await lane.enter(isAgain);
      await run(room);
      room.requireNoComplaints();
    });
}

async function verifyScreens(lane: Lane, screens: Part['screens']): Promise<void> {
  if (screens.length === 0) return;
  const startedAt = Date.now();
  const faults = await checkScreens(await lane.enter(), screens, process.env['SCREENSHOTS']);
  const faulty = screens.filter(({ name }) => faults.get(name)?.length);
  console.log(`${screens.length} screens in 6 looks, ${faulty.length} with faults (${Date.now() - startedAt} ms)`);
  for (const screen of faulty)
    await attempts.try(`screen: ${screen.name}`, async (isAgain) => {
      const room = await lane.enter();
      if (isAgain) await room.renewBrowser();
      const seen = isAgain ? await checkScreens(room, [screen], process.env['SCREENSHOTS']) : faults;
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
