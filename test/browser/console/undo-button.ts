import type { Page } from 'playwright-core';
import { settled } from './room.ts';

/** The button in the toast after a change. */
export const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true });

/** Undoes the last change, and waits until the screen shows it. */
export async function undo(page: Page, told = 'Undone.'): Promise<void> {
  await undoButton(page).click();
  // Its toast makes way for the one that says so.
  await undoButton(page).waitFor({ state: 'detached' });
  await page.getByText(told, { exact: true }).first().waitFor();
  await settled(page);
}

/** Closes the toast of a deletion that is held back, which is then sent. */
export const endHeld = (page: Page) =>
  page.locator('.toast', { hasText: 'Being deleted' }).getByRole('button', { name: 'Dismiss' }).click();
