import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { type Room, type Screen, settled } from './room.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const looks = (['en-US', 'ar-SA'] as const).flatMap((locale) =>
  [1280, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      ...{ locale, colorScheme },
      viewport: { width, height: width > 600 ? 850 : 844 },
    })),
  ),
);

type Look = (typeof looks)[number];

/** Looks at every screen in both languages, wide and narrow, light and dark. @returns what is wrong, in words */
export async function lookAtAll(room: Room, screens: readonly Screen[], folder: string | undefined): Promise<string[]> {
  const waiting = screens.length === 0 ? [] : [...looks];
  const found: string[] = [];
  const lookOn = async () => {
    for (let look = waiting.shift(); look; look = waiting.shift())
      found.push(...(await lookAt(room, screens, look, folder)));
  };
  // As many as there are cores on a small machine.
  await Promise.all([lookOn(), lookOn()]);
  return found;
}

async function lookAt(
  room: Room,
  screens: readonly Screen[],
  look: Look,
  folder: string | undefined,
): Promise<string[]> {
  const found: string[] = [];
  const context = await room.windowOf('manager', look);
  let page = await context.newPage();
  const said = `${look.locale} ${look.viewport.width} ${look.colorScheme}`;
  for (const screen of screens) {
    const where = `${screen.name} (${said})`;
    try {
      await room.go(page, screen.address);
      await screen.prepare?.(page);
      await settled(page);
      found.push(...(await faultsOf(page)).map((fault) => `${where}: ${fault}`));
      const path = `${folder}/${screen.name}-${said}.png`.replaceAll(' ', '-');
      if (folder !== undefined) await page.screenshot({ path, fullPage: true });
    } catch (error) {
      found.push(`${where}: ${String(error)}`);
    }
    if (!screen.prepare) continue;
    // What was opened there must not be in the way of the next one.
    await page.close();
    page = await context.newPage();
  }
  await context.close();
  return found;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What is wrong with the screen as it is: for assistive technology, or because it scrolls sideways. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as { violations: Violation[] };
  const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  const told = violations.map(
    ({ id, help, nodes: [first] }) => `${id}: ${help}: ${first?.html} ${first?.failureSummary}`,
  );
  return [...told, ...(isWide ? ['It scrolls sideways.'] : [])];
}

/** For stories that end in a state that the matrix does not reach. */
export async function assertFaultless(page: Page): Promise<void> {
  assert.deepEqual(await faultsOf(page), []);
}
