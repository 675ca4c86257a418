import type { Page } from 'playwright-core';

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Layout {
  readonly width: number;
  /** The regions of the page, which have the same size in both languages. */
  readonly landmarks: readonly Box[];
  /** The controls, whose width depends on their words. */
  readonly controls: readonly Box[];
  /** Codes, numbers and addresses that always run from left to right. */
  readonly turned: readonly string[];
}

const landmarksTolerance = 6;
const looksMax = 50;
const wideFrom = 1_000;
/** Two boxes with a smaller distance are at the same position. */
const stepMin = 4;
/** A control beyond this distance from the middle is certainly on one side, as a fraction of the width. */
const sideMin = 0.2;

const look = `(() => {
  // An earlier step may have scrolled a table to a button.
  for (const region of document.querySelectorAll('.table-region')) region.scrollLeft = 0;
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter(runsWithPage).flatMap((element) => {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return [];
    const name = element.tagName.toLowerCase() + (element.className ? '.' + String(element.className).split(' ')[0] : '');
    return [{ name, left, right, top, bottom}];
  });
  // The preview of a form has the direction of its language.
  const runsWithPage = (element) => element.parentElement.closest('[dir=ltr], [dir=rtl]') === document.documentElement;
  const runs = (element) => getComputedStyle(element).direction === 'ltr';
  const described = (element) => element.outerHTML.slice(0, 120);
  const ofKind = 'code, input[type=email], input[type=url], input[type=tel], input[type=number]';
  const turned = [...document.querySelectorAll(ofKind)].filter((element) => !runs(element)).map(described);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isAddress = (text) => /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/.test(text) || /^\\+?[\\d][\\d\\s().-]{6,}$/.test(text) || /^https?:\\S+$/.test(text);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    if (isAddress(text) && !runs(node.parentElement)) turned.push(described(node.parentElement));
  }
  // Unicode mirrors this character. Another character in Arabic would point in the direction of English.
  const arrows = [...document.querySelectorAll('.back-link')].map((link) => getComputedStyle(link, '::before').content);
  turned.push(...arrows.filter((arrow) => !arrow.includes('\u2039')).map((arrow) => 'the arrow back, ' + arrow));
  return {
    width: document.documentElement.clientWidth,
    landmarks: boxes('header, nav, main, .table-region, [role=dialog], [role=alertdialog]'),
    controls: boxes('main button, main a[href], main input, main select, main textarea, nav a[href], th'),
    turned,
  };
})()`;

/** The layout of the screen, after two equal readings. A screen may be rendered again after its last response. */
export async function readLayout(page: Page): Promise<Layout> {
  let before = '';
  for (let looks = 0; looks < looksMax; looks++) {
    const seen = (await page.evaluate(look)) as Layout;
    const now = JSON.stringify(seen);
    if (now === before) return seen;
    before = now;
    await page.waitForTimeout(100);
  }
  throw new Error('The screen does not come to rest.');
}

/** The same screen with the same words in the other direction. */
export async function readMirroredLayout(page: Page): Promise<Layout> {
  const turn = (direction: string) => page.evaluate(`document.documentElement.dir = '${direction}'`);
  await turn('rtl');
  const seen = await readLayout(page);
  await turn('ltr');
  return seen;
}

/**
 * Compares a screen in English and in Arabic, whose words have different lengths.
 * @returns the elements that are not at their mirrored position
 */
export function faultsInArabic(english: Layout, arabic: Layout): string[] {
  const mirrored = mirroredOf(arabic, english.width);
  return [
    ...movedBoxes(english.landmarks, mirrored.landmarks),
    // On narrow screens, words of different lengths wrap differently.
    ...(english.width < wideFrom ? [] : controlsOnWrongSide(english, mirrored.controls)),
    ...arabic.turned.map((html) => `It runs from right to left: ${html}`),
    ...(english.landmarks.length === arabic.landmarks.length && english.controls.length === arabic.controls.length
      ? []
      : [`It has ${english.controls.length} controls in English and ${arabic.controls.length} in Arabic.`]),
  ];
}

/** Compares a screen with its mirror image. With equal words, every control has its mirrored position at any width. */
export function faultsOfMirroredLayout(straight: Layout, turned: Layout): string[] {
  const { landmarks, controls } = mirroredOf(turned, straight.width);
  return [...movedBoxes(straight.landmarks, landmarks), ...controlsOnWrongSide(straight, controls)];
}

function mirroredOf({ landmarks, controls }: Layout, width: number): Pick<Layout, 'landmarks' | 'controls'> {
  const mirrored = (box: Box): Box => ({ ...box, left: width - box.right, right: width - box.left });
  return { landmarks: landmarks.map(mirrored), controls: controls.map(mirrored) };
}

const movedBoxes = (boxes: readonly Box[], others: readonly Box[]): string[] =>
  paired(boxes, others).flatMap(([box, other]) => positionFault(box, other));

function controlsOnWrongSide({ controls, width }: Layout, others: readonly Box[]): string[] {
  const rows = rowsOf(controls);
  const otherRows = rowsOf(others);
  const isAtSameStep = (position: number) => rows[position] === otherRows[position];
  return [
    // Longer words, or another font, may move a control to the next line.
    ...paired(controls, others).flatMap((pair, position) => (isAtSameStep(position) ? wrongSide(...pair, width) : [])),
    ...wrongOrder(controls, others),
  ];
}

/** For each control, the first control of its line. */
function rowsOf(controls: readonly Box[]): number[] {
  const firsts: number[] = [];
  for (const [position, box] of controls.entries()) {
    const before = controls[position - 1];
    firsts.push(before && isRow(before, box) ? (firsts[position - 1] ?? position) : position);
  }
  return firsts;
}

const isRow = (a: Box, b: Box): boolean => a.top < b.bottom - stepMin && b.top < a.bottom - stepMin;

const paired = (boxes: readonly Box[], others: readonly Box[]): (readonly [Box, Box])[] =>
  boxes.flatMap((box, position) => {
    const other = others[position];
    return other ? [[box, other] as const] : [];
  });

const described = ({ name, left, right, top }: Box): string =>
  `${name} at ${Math.round(left)} to ${Math.round(right)}, ${Math.round(top)} down`;

const positionFault = (box: Box, other: Box): string[] =>
  Math.abs(box.left - other.left) <= landmarksTolerance && Math.abs(box.right - other.right) <= landmarksTolerance
    ? []
    : [`${described(box)}, is mirrored ${described(other)}.`];

function wrongSide(box: Box, other: Box, width: number): string[] {
  const fromMiddle = ({ left, right }: Box) => (left + right) / 2 - width / 2;
  const isFar = Math.abs(fromMiddle(box)) > sideMin * width;
  return isFar && Math.sign(fromMiddle(box)) !== Math.sign(fromMiddle(other))
    ? [`${described(box)}, is on the other side: mirrored ${described(other)}.`]
    : [];
}

/** The order of two controls in a row must be the same. */
function wrongOrder(boxes: readonly Box[], others: readonly Box[]): string[] {
  return boxes.flatMap((box, position) => {
    const next = boxes[position + 1];
    const mirrored = others[position];
    const mirroredNext = others[position + 1];
    if (!next || !mirrored || !mirroredNext || !isRow(box, next) || !isRow(mirrored, mirroredNext)) return [];
    const step = next.left - box.left;
    const mirroredStep = mirroredNext.left - mirrored.left;
    const isSame =
      Math.min(Math.abs(step), Math.abs(mirroredStep)) < stepMin || Math.sign(step) === Math.sign(mirroredStep);
    return isSame ? [] : [`${described(box)} and ${described(next)} are not the other way round.`];
  });
}
