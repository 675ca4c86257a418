import type { Page } from 'playwright-core';
import { type Room, type Screen, settled } from './room.ts';

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Seen {
  readonly width: number;
  /** What the page is divided into; it has the same size in both languages. */
  readonly landmarks: readonly Box[];
  /** What can be used; how wide it is depends on its words. */
  readonly controls: readonly Box[];
  /** Codes, numbers and addresses that do not run from left to right. */
  readonly turned: readonly string[];
}

const landmarksTolerance = 6;
const looksMax = 50;
const wideFrom = 1_000;
/** Below this two boxes are at the same place. */
const stepMin = 4;
/** How far from the middle a control has to be, as a part of the width, to be on one side for certain. */
const sideMin = 0.2;

const look = `(() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return [];
    const name = element.tagName.toLowerCase() + (element.className ? '.' + String(element.className).split(' ')[0] : '');
    return [{ name, left, right, top, bottom}];
  });
  const runs = (element) => getComputedStyle(element).direction === 'ltr';
  const told = (element) => element.outerHTML.slice(0, 120);
  const ofKind = 'code, input[type=email], input[type=url], input[type=tel], input[type=number]';
  const turned = [...document.querySelectorAll(ofKind)].filter((element) => !runs(element)).map(told);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isAddress = (text) => /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(text) || /^\\+?[\\d][\\d\\s().-]{6,}$/.test(text) || /^https?:\\S+$/.test(text);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    if (isAddress(text) && !runs(node.parentElement)) turned.push(told(node.parentElement));
  }
  // Unicode mirrors this character; another one in Arabic would point the way that English does.
  const arrows = [...document.querySelectorAll('.back-link')].map((link) => getComputedStyle(link, '::before').content);
  turned.push(...arrows.filter((arrow) => !arrow.includes('\u2039')).map((arrow) => 'the arrow back, ' + arrow));
  return {
    width: document.documentElement.clientWidth,
    landmarks: boxes('header, nav, main, .table-region, [role=dialog], [role=alertdialog]'),
    controls: boxes('main button, main a[href], main input, main select, main textarea, nav a[href], th'),
    turned,
  };
})()`;

const viewports = [
  { width: 1280, height: 850 },
  { width: 390, height: 844 },
] as const;
type Viewport = (typeof viewports)[number];

/** Looks at every screen in both languages: in Arabic all is where its mirror image would be. @returns what is not */
export async function compareMirrored(room: Room, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = [];
  for (const viewport of viewports) found.push(...(await compareAt(room, screens, viewport)));
  return found;
}

async function compareAt(room: Room, screens: readonly Screen[], viewport: Viewport): Promise<string[]> {
  const looks = ['en-US', 'ar-SA'].map((locale) => ({ locale, viewport }));
  const [english, arabic] = await Promise.all(looks.map((look) => seenIn(room, screens, look)));
  return screens.flatMap(({ name }, position) => {
    const [one, other] = [english?.[position], arabic?.[position]];
    if (!one || !other) throw new Error(`Nobody looked at ${name}.`);
    const turned = other.turned.map((html) => `It runs from right to left: ${html}`);
    return [...unmirrored(one, other), ...turned].map((fault) => `${name} (mirrored, ${viewport.width} px): ${fault}`);
  });
}

async function seenIn(
  room: Room,
  screens: readonly Screen[],
  look: { readonly locale: string; readonly viewport: Viewport },
): Promise<Seen[]> {
  const context = await room.windowOf('manager', look);
  let page = await context.newPage();
  const seen: Seen[] = [];
  for (const screen of screens) {
    seen.push(await seenOf(room, page, screen));
    if (!screen.prepare) continue;
    // What was opened there must not be in the way of the next one.
    await page.close();
    page = await context.newPage();
  }
  await context.close();
  return seen;
}

async function seenOf(room: Room, page: Page, screen: Screen): Promise<Seen> {
  await room.go(page, screen.address);
  await screen.prepare?.(page);
  // Until two looks agree: a screen may be drawn once more after its last answer.
  let before = '';
  for (let looks = 0; looks < looksMax; looks++) {
    await settled(page);
    await page.waitForTimeout(100);
    const seen = (await page.evaluate(look)) as Seen;
    const now = JSON.stringify(seen);
    if (now === before) return seen;
    before = now;
  }
  throw new Error(`${screen.name} does not come to rest.`);
}

function unmirrored(english: Seen, arabic: Seen): string[] {
  const { width } = english;
  const mirrored = (box: Box): Box => ({ ...box, left: width - box.right, right: width - box.left });
  const [landmarks, controls] = [arabic.landmarks.map(mirrored), arabic.controls.map(mirrored)];
  return [
    ...paired(english.landmarks, landmarks).flatMap(([one, other]) => offPlace(one, other)),
    // Where there is little room, words of other lengths begin their lines elsewhere.
    ...(width < wideFrom ? [] : paired(english.controls, controls).flatMap((pair) => offSide(...pair, width))),
    ...(width < wideFrom ? [] : outOfOrder(english.controls, controls)),
    ...(english.landmarks.length === landmarks.length && english.controls.length === controls.length
      ? []
      : [`It has ${english.controls.length} controls in English and ${controls.length} in Arabic.`]),
  ];
}

const paired = (ones: readonly Box[], others: readonly Box[]): (readonly [Box, Box])[] =>
  ones.flatMap((one, position) => {
    const other = others[position];
    return other ? [[one, other] as const] : [];
  });

const told = ({ name, left, right, top }: Box): string =>
  `${name} at ${Math.round(left)} to ${Math.round(right)}, ${Math.round(top)} down`;

const offPlace = (one: Box, other: Box): string[] =>
  Math.abs(one.left - other.left) <= landmarksTolerance && Math.abs(one.right - other.right) <= landmarksTolerance
    ? []
    : [`${told(one)}, is mirrored ${told(other)}.`];

function offSide(one: Box, other: Box, width: number): string[] {
  const fromMiddle = (box: Box) => (box.left + box.right) / 2 - width / 2;
  const isFar = Math.abs(fromMiddle(one)) > sideMin * width;
  return isFar && Math.sign(fromMiddle(one)) !== Math.sign(fromMiddle(other))
    ? [`${told(one)}, is on the other side: mirrored ${told(other)}.`]
    : [];
}

/** Of two controls of a row, the same one comes first. */
function outOfOrder(ones: readonly Box[], others: readonly Box[]): string[] {
  const isRow = (a: Box, b: Box) => a.top < b.bottom - stepMin && b.top < a.bottom - stepMin;
  return ones.flatMap((one, position) => {
    const [next, mirrored, mirroredNext] = [ones[position + 1], others[position], others[position + 1]];
    if (!next || !mirrored || !mirroredNext || !isRow(one, next) || !isRow(mirrored, mirroredNext)) return [];
    const [step, mirroredStep] = [next.left - one.left, mirroredNext.left - mirrored.left];
    const isSame =
      Math.min(Math.abs(step), Math.abs(mirroredStep)) < stepMin || Math.sign(step) === Math.sign(mirroredStep);
    return isSame ? [] : [`${told(one)} and ${told(next)} are not the other way round.`];
  });
}
