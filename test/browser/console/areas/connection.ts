import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { type Screen, type Story, save, settled } from '../room.ts';

export const screens: readonly Screen[] = [];

/** Returns to the page from another window, which makes it read its data again. */
const comeBack = (page: Page) =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

/** The browser's messages about a lost connection or a 503 are expected here. */
const expected = /ERR_INTERNET|status of 503/;

export const stories: readonly Story[] = [
  {
    name: 'connection: a member without a connection still sees the list, and no change looks stored',
    run: async (room) => {
      const page = await room.visit('/menu?q=kofta', 'kitchen', { viewport: { width: 390, height: 844 } });
      const soldOut = page.getByRole('switch', { name: 'Sold out: Lamb kofta' });
      const press = () => page.locator('label', { has: soldOut }).click();
      await page.context().setOffline(true);
      await press();
      await page.getByText('The service cannot be reached. Check your connection.').first().waitFor();
      assert.equal(await soldOut.isChecked(), false);
      const notice = page.getByRole('main').getByRole('alert');
      await notice.waitFor();
      await page.context().setOffline(false);
      await notice.waitFor({ state: 'detached' });
      await press();
      await page.getByText('Lamb kofta is sold out.').waitFor();
      await press();
      await page.getByText('Lamb kofta is available again.').waitFor();
      room.forgive(expected);
      await page.context().close();
    },
  },
  {
    name: 'connection: a form keeps its text if its record cannot be read again',
    run: async (room) => {
      const page = await room.visit('/menu/categories/cat_grill');
      const name = page.getByRole('textbox', { name: 'Name, English' });
      await name.fill('From the fire');
      const address = '**/api/v1/manage/menu-categories/cat_grill';
      let refused = 0;
      await page.route(address, (route) => {
        refused++;
        return route.fulfill({ status: 503, json: { message: 'Later.', code: 'unavailable', errors: [] } });
      });
      await comeBack(page);
      // The client retries twice before the page gets the error.
      await eventually(async () => refused >= 3, true);
      await settled(page);
      assert.equal(await name.inputValue(), 'From the fire');
      await page.unroute(address);
      await save(page);
      room.forgive(expected);
      await page.context().close();
    },
  },
];
