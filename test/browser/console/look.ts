import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { faultsInArabic, faultsOfMirroredLayout, type Layout, readLayout, readMirroredLayout } from './mirror.ts';
import { type Room, type Screen, settled } from './room.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Each pair of a language, a width and a colour scheme occurs; layouts are compared in light colours. */
const variants = (
  [
    ['en-US', 1280, 'light'],
    ['en-US', 1280, 'dark'],
    ['en-US', 360, 'light'],
    ['ar-SA', 1280, 'light'],
    ['ar-SA', 360, 'light'],
    ['ar-SA', 360, 'dark'],
  ] as const
).map(([locale, width, colorScheme]) => ({
  locale,
  colorScheme,
  viewport: { width, height: width > 600 ? 850 : 800 },
}));

type Variant = (typeof variants)[number];

/** The layout of each screen in light colours, by language, width and name. */
type Layouts = Map<string, Layout>;

/** The faults of a screen and the variant that has them, by its name. */
type Faults = Map<string, string[]>;

/**
 * Opens every screen in six looks: languages, widths and colour schemes.
 * @returns the faults by screen, and the elements that are not mirrored in Arabic
 */
export async function checkScreens(
  room: Room,
  screens: readonly Screen[],
  folder: string | undefined,
): Promise<Faults> {
  const waiting = screens.length === 0 ? [] : [...variants];
  const layouts: Layouts = new Map();
  const faults: Faults = new Map(screens.map(({ name }) => [name, []]));
  const lookOn = async () => {
    for (let look = waiting.shift(); look; look = waiting.shift())
      await checkScreen(room, screens, look, folder, layouts, faults);
  };
  // As many as a small machine has cores.
  await Promise.all([lookOn(), lookOn()]);
  for (const [name, found] of faults) found.push(...mirrorFaults(name, layouts));
  return faults;
}

function mirrorFaults(name: string, layouts: Layouts): string[] {
  return [1280, 360].flatMap((width) => {
    const [english, arabic, turned] = ['en-US', 'ar-SA', 'turned'].map((look) =>
      layouts.get(`${look} ${width} ${name}`),
    );
    // A failed variant has already been reported.
    const inArabic = english && arabic ? faultsInArabic(english, arabic) : [];
    return [...inArabic, ...(english && turned ? faultsOfMirroredLayout(english, turned) : [])].map(
      (fault) => `mirrored, ${width} px: ${fault}`,
    );
  });
}

async function checkScreen(
  room: Room,
  screens: readonly Screen[],
  look: Variant,
  folder: string | undefined,
  layouts: Layouts,
  faults: Faults,
): Promise<void> {
  const said = `${look.locale} ${look.viewport.width} ${look.colorScheme}`;
  let page: Page | undefined;
  for (const screen of screens) {
    const tell = (fault: string) => faults.get(screen.name)?.push(`${said}: ${fault}`);
    try {
      page ??= await (await room.windowOf('manager', look)).newPage();
      await room.go(page, screen.address);
      await screen.prepare?.(page);
      await settled(page);
      await recordLayout(page, screen, look, layouts);
      for (const fault of await faultsOf(page)) tell(fault);
      const path = `${folder}/${screen.name}-${said}.png`.replaceAll(' ', '-');
      if (folder !== undefined) await page.screenshot({ path, fullPage: true });
      room.requireNoComplaints(page.context());
      if (!screen.prepare) continue;
      // An open dialog must not cover the next screen.
      const context = page.context();
      await page.close();
      page = await context.newPage();
    } catch (error) {
      tell(String(error));
      await page?.context().close();
      page = undefined;
    }
  }
  await page?.context().close();
}

async function recordLayout(
  page: Page,
  { name }: Screen,
  { locale, viewport, colorScheme }: Variant,
  layouts: Layouts,
) {
  if (colorScheme === 'dark') return;
  layouts.set(`${locale} ${viewport.width} ${name}`, await readLayout(page));
  if (locale === 'en-US') layouts.set(`turned ${viewport.width} ${name}`, await readMirroredLayout(page));
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The faults of the current screen: accessibility, or sideways scrolling. */
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

/** For stories that end in a state without a screen of its own in the matrix. */
export async function assertFaultless(page: Page): Promise<void> {
  assert.deepEqual(await faultsOf(page), []);
}
