/** How much rarer a poll becomes after so long without input. */
const steps = [
  { idleMilliseconds: 600_000, factor: 12 },
  { idleMilliseconds: 60_000, factor: 4 },
] as const;

/** The time to the next poll of what somebody who works reads each `often` milliseconds. */
export function pauseAfter(often: number, idleMilliseconds: number): number {
  const step = steps.find((candidate) => idleMilliseconds >= candidate.idleMilliseconds);
  return often * (step?.factor ?? 1);
}

let lastInput = Date.now();

/**
 * The interval of a query that polls: rarer while the visible page is not used. A hidden page does not poll
 * at all.
 */
export const polled = (often: number) => (): number => pauseAfter(often, Date.now() - lastInput);

interface Page {
  addEventListener(
    type: string,
    listener: () => void,
    options: { readonly capture: true; readonly passive: true },
  ): void;
}

/**
 * Watches for input from now on.
 * @param onReturn is called when somebody comes back to work, who should see the newest at once
 */
export function watchInput(page: Page, onReturn: () => void): void {
  const note = (): void => {
    const now = Date.now();
    const wasAway = pauseAfter(1, now - lastInput) > 1;
    lastInput = now;
    if (wasAway) onReturn();
  };
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel']) {
    page.addEventListener(type, note, { capture: true, passive: true });
  }
}
