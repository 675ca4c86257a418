import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';

/** More than any screen has to be passed. */
const pressesMax = 150;

/** What has the focus, or what shows it in its place, such as the track of a switch. */
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

/** Goes on by the Tab key until the focus is there, and seen. @throws when it never comes there, or nothing has it */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor();
  const here = target.and(page.locator(':focus'));
  for (let presses = 0; (await here.count()) === 0; presses++) {
    assert.ok(presses < pressesMax, `The focus never comes to ${target}; it is at ${await page.evaluate(focused)}.`);
    await page.keyboard.press('Tab');
  }
  assert.ok(await page.evaluate(isFocusSeen), `The focus is not seen at ${target}.`);
}

/** Goes there, and presses a key. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes there, and types in place of what is there. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** That an open dialog keeps the focus, however often somebody goes on, and lets nothing outside of it have it. */
export async function assertKept(page: Page, dialog: Locator): Promise<void> {
  await dialog.waitFor();
  // Notices lie above dialogs, and may have the focus there.
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

/** That somebody goes on where they were, and not at the beginning of the page. */
export async function assertFocused(page: Page, target: Locator): Promise<void> {
  for (let tries = 0; tries < 300 && (await target.and(page.locator(':focus')).count()) === 0; tries++)
    await page.waitForTimeout(50);
  assert.equal(await target.and(page.locator(':focus')).count(), 1, `The focus is at ${await page.evaluate(focused)}.`);
}
