import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';

/** A composition of an input method: the typed text becomes the chosen one with Enter, and nothing with Escape. */
export interface Composition {
  readonly typed: string;
  readonly chosen: string;
  readonly key: 'Enter' | 'Escape';
}

const keyCodes = { Enter: 13, Escape: 27 };

/**
 * Sends the events of Safari, which ends the composition before the key. So the key has `isComposing: false`, and only
 * its `keyCode` shows that the input method has used it.
 */
export async function composeAsSafari(field: Locator, { typed, chosen, key }: Composition): Promise<void> {
  await field.focus();
  const settings = JSON.stringify({ typed, chosen, key, keyCode: keyCodes[key], end: key === 'Enter' ? chosen : '' });
  await field.page().evaluate(`{
    const { typed, chosen, key, keyCode, end } = ${settings};
    let field = document.activeElement;
    while (field.shadowRoot) field = field.shadowRoot.activeElement;
    const before = field.value;
    const send = (Type, type, init) =>
      field.dispatchEvent(new Type(type, { bubbles: true, cancelable: true, composed: true, ...init }));
    const write = (inputType, data) => {
      send(InputEvent, 'beforeinput', { inputType, data });
      // React does not notice a value that is set on the element itself.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, before + data);
      send(InputEvent, 'input', { cancelable: false, inputType, data });
    };
    send(CompositionEvent, 'compositionstart', { data: '' });
    for (let length = 1; length <= typed.length; length++) {
      const data = typed.slice(0, length);
      send(CompositionEvent, 'compositionupdate', { data });
      write('insertCompositionText', data);
      send(KeyboardEvent, 'keydown', { key: 'Process', keyCode: 229, isComposing: true });
    }
    write(key === 'Enter' ? 'insertFromComposition' : 'deleteCompositionText', end);
    send(CompositionEvent, 'compositionend', { data: end });
    send(KeyboardEvent, 'keydown', { key, code: key, keyCode: 229, isComposing: false });
    send(KeyboardEvent, 'keyup', { key, code: key, keyCode, isComposing: false });
  }`);
}

/** Composes by Chromium's own input method, whose key comes before the end of the composition. */
export async function composeAsChromium(field: Locator, { typed, chosen, key }: Composition): Promise<void> {
  await field.focus();
  const before = await field.inputValue();
  const page = field.page();
  const browser = await page.context().newCDPSession(page);
  const press = (name: string) =>
    browser.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode: 229, key: name });
  const compose = (text: string) =>
    browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  for (let length = 1; length <= typed.length; length++) {
    await press('Process');
    await compose(typed.slice(0, length));
  }
  assert.equal(await field.inputValue(), before + typed);
  await press(key);
  if (key === 'Enter') await browser.send('Input.insertText', { text: chosen });
  else await compose('');
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', windowsVirtualKeyCode: keyCodes[key], code: key, key });
  await browser.detach();
}
