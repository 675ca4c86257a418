import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';

/** More Tab presses than any screen needs. */
const pressesMax = 150;

/** The focused element, or the element that shows the focus in its place, such as the track of a switch. */
const isFocusSeen = `(() => {
  const { activeElement: focused } = document;
  const drawn = [focused, focused.parentElement, focused.nextElementSibling, focused.closest('label')];
  return drawn.some((element) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
})()`;
const focused = `(() => {
  const { activeElement: element } = document;
  return element === document.body ? 'nothing' : element.outerHTML.slice(0, 200);
})()`;

/** Presses Tab until the element has a visible focus. @throws when it never gets the focus, or no element has it */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  const here = target.and(page.locator(':focus'));
  for (let presses = 0; (await here.count()) === 0; presses++) {
    assert.ok(presses < pressesMax, `The focus never comes to ${target}; it is at ${await page.evaluate(focused)}.`);
    await page.keyboard.press('Tab');
  }
  assert.ok(await page.evaluate(isFocusSeen), `The focus is not seen at ${target}.`);
}

/** Moves the focus to an element and presses a key. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves the focus to an element and replaces its text. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Asserts that an open dialog keeps the focus inside, for any number of Tab presses. */
export async function assertFocusTrapped(page: Page, dialog: Locator): Promise<void> {
  await dialog.waitFor();
  // Notices are above dialogs, and may have the focus there. One that offers an undo stays until it is dismissed.
  await page.evaluate(`document.querySelectorAll('.toast .icon').forEach((button) => button.click())`);
  await page.locator('.toast').first().waitFor({ state: 'detached' });
  await page.locator('[role$=dialog]:focus, [role$=dialog] :focus').first().waitFor();
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press(presses % 3 === 2 ? 'Shift+Tab' : 'Tab');
    assert.equal(
      await dialog.locator(':focus').count(),
      1,
      `The focus left ${dialog}: ${await page.evaluate(focused)}`,
    );
  }
}

/** Asserts that the focus is still at its position, and not at the start of the page. */
export async function assertFocused(page: Page, target: Locator): Promise<void> {
  for (let tries = 0; tries < 300 && (await target.and(page.locator(':focus')).count()) === 0; tries++)
    await page.waitForTimeout(50);
  assert.equal(await target.and(page.locator(':focus')).count(), 1, `The focus is at ${await page.evaluate(focused)}.`);
}
