import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { assertFaultless } from '../look.ts';
import { draftsOf, type Room, type Screen, type Story, save, settled, waitForDraft } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'menu products', address: '/menu' },
  { name: 'menu products sold out', address: '/menu?soldout=true' },
  {
    name: 'menu bulk',
    address: '/menu',
    prepare: (page) => page.getByRole('checkbox').nth(1).check(),
  },
  { name: 'menu new product', address: '/menu/products/new' },
  { name: 'menu product', address: '/menu/products/prod_shakshuka' },
  {
    name: 'menu suggestions',
    address: '/menu/products/prod_shakshuka',
    prepare: async (page) => {
      await page.getByRole('checkbox', { name: /Nutrition facts|القيم الغذائية/ }).check();
      await page.locator('[aria-haspopup=dialog]').click();
      await page.locator('.target-choice').first().waitFor();
    },
  },
  { name: 'menu categories', address: '/menu/categories' },
  { name: 'menu category', address: '/menu/categories/cat_breakfast' },
];

/** A narrow touch screen, as in a kitchen. */
const telephone = { viewport: { width: 390, height: 844 }, hasTouch: true };

const productOf = async (room: Room, id: string) => (await room.client.manage.menuProducts.get(id)).record;

const soldOut = (page: Page) => page.getByRole('region', { name: 'Basics' }).getByLabel('Sold out', { exact: true });

export const stories: readonly Story[] = [
  {
    name: 'menu: a cook marks a product as sold out in one touch, and can then choose an end',
    run: async (room) => {
      const page = await room.visit('/menu?q=jareesh', 'kitchen', telephone);
      const press = () => page.locator('label', { has: page.getByRole('switch', { name: 'Sold out: Jareesh' }) }).tap();
      await press();
      await page.getByText('Jareesh is sold out.').waitFor();
      assert.equal((await productOf(room, 'prod_jareesh'))['soldout'], true);
      const stored = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('combobox', { name: 'Sold out until, Jareesh' }).selectOption('hour');
      assert.equal((await stored).status(), 200);
      await page.locator('option[value=set]').waitFor({ state: 'attached' });
      const until = Date.parse(String((await productOf(room, 'prod_jareesh'))['soldoutUntil']));
      assert.ok(Math.abs(until - Date.now() - 3_600_000) < 60_000);
      await assertFaultless(page);
      await press();
      await page.getByText('Jareesh is available again.').waitFor();
      const { soldout, soldoutUntil } = await productOf(room, 'prod_jareesh');
      assert.deepEqual([soldout, soldoutUntil], [false, null]);
      await page.context().close();
    },
  },
  {
    name: 'menu: an editor changes a product in two languages side by side',
    run: async (room) => {
      const page = await room.visit('/menu/products/prod_um_ali');
      await page.getByRole('textbox', { name: 'Name, English', exact: true }).fill('Um Ali with pistachio');
      await page.getByRole('textbox', { name: 'Name, Arabic', exact: true }).fill('أم علي بالفستق');
      await save(page);
      const { name } = await productOf(room, 'prod_um_ali');
      assert.deepEqual(name, { en: 'Um Ali with pistachio', ar: 'أم علي بالفستق' });
      await page.getByRole('heading', { level: 1, name: 'Um Ali with pistachio', exact: true }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'menu: an editor changes suggestions, nutrition facts, prices and the end of being sold out',
    run: async (room) => {
      await room.client.manage.menuProducts.update('prod_masoub', { suggestions: [], nutritionFacts: null });
      const page = await room.visit('/menu/products/prod_masoub');
      await page.getByRole('checkbox', { name: 'Nutrition facts' }).check();
      await page.getByRole('spinbutton', { name: 'Calories' }).fill('410.5');
      await page.getByRole('button', { name: 'Add an allergen' }).click();
      await page.getByRole('textbox', { name: 'Allergens' }).fill('MILK');
      await page.getByRole('button', { name: 'Choose: Suggested with it' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose: Suggested with it' });
      await dialog.getByRole('searchbox').fill('masoub');
      await dialog.getByText('Nothing matches.').waitFor();
      for (const dish of ['Jareesh', 'Shakshuka']) {
        await dialog.getByRole('searchbox').fill(dish);
        await dialog.locator('.target-choice', { hasText: dish }).first().click();
      }
      await assertFaultless(page);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Move up: Shakshuka' }).click();
      await page.getByRole('checkbox', { name: 'Chosen at first' }).first().check();
      await soldOut(page).check();
      await page.getByLabel('Sold out until').fill('2031-02-03T04:05');
      await save(page);
      const stored = await productOf(room, 'prod_masoub');
      assert.deepEqual(stored['suggestions'], ['prod_shakshuka', 'prod_jareesh']);
      assert.deepEqual(stored['nutritionFacts'], {
        servingSize: null,
        calories: 410.5,
        protein: null,
        carbohydrates: null,
        fat: null,
        sugar: null,
        sodium: null,
        allergens: ['MILK'],
        dietary: [],
      });
      assert.equal((stored['priceOptions'] as { default?: boolean }[])[0]?.default, true);
      assert.match(String(stored['soldoutUntil']), /^2031-02-0/);
      await page.getByRole('checkbox', { name: 'Nutrition facts' }).uncheck();
      await soldOut(page).uncheck();
      await save(page);
      const { nutritionFacts, soldoutUntil } = await productOf(room, 'prod_masoub');
      assert.deepEqual([nutritionFacts, soldoutUntil], [null, null]);
      await page.context().close();
    },
  },
  {
    name: 'menu: two editors change one product, and the later one sees both changes',
    run: async (room) => {
      const [one, other] = await Promise.all([0, 1].map(() => room.visit('/menu/products/prod_lamb_chops')));
      assert.ok(one && other);
      const english = (page: Page) => page.getByRole('textbox', { name: 'Name, English', exact: true });
      await english(other).fill('Lamb chops of theirs');
      await other.getByRole('spinbutton', { name: 'Preparation time in minutes' }).fill('33');
      await save(other);
      await english(one).fill('Lamb chops of mine');
      await one.getByRole('region', { name: 'Basics' }).getByRole('textbox', { name: 'Barcode' }).fill('12345');
      await one.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = one.getByRole('alertdialog', { name: 'Somebody else changed this' });
      const row = dialog.getByRole('row', { name: /Name › en/ });
      assert.match(String(await row.textContent()), /Lamb chops of mine.*Lamb chops of theirs/);
      await assertFaultless(one);
      await row.getByRole('radio', { name: /Stored now/ }).check();
      await dialog.getByRole('button', { name: 'Keep this choice' }).click();
      await save(one);
      const { name, barcode, preparationTime } = await productOf(room, 'prod_lamb_chops');
      const kept = [(name as { en: string }).en, barcode, preparationTime];
      assert.deepEqual(kept, ['Lamb chops of theirs', '12345', 33]);
      await Promise.all([one, other].map((page) => page.context().close()));
    },
  },
  {
    name: 'menu: an editor finds unsaved text after a crash',
    run: async (room) => {
      const page = await room.visit('/menu/products/prod_masoub');
      const context = page.context();
      await page.getByRole('textbox', { name: 'Short description, English' }).fill('Half a sentence');
      await waitForDraft(page, 'Half a sentence');
      await page.close({ runBeforeUnload: false });
      const again = await context.newPage();
      await room.go(again, '/menu/products/prod_masoub');
      await again.getByText(/Your unsent changes of .* are back/).waitFor();
      const input = again.getByRole('textbox', { name: 'Short description, English' });
      assert.equal(await input.inputValue(), 'Half a sentence');
      await save(again);
      await eventually(() => draftsOf(again), '[]');
      await again.reload();
      await settled(again);
      assert.equal(await again.getByText(/Your unsent changes/).count(), 0);
      assert.equal(await input.inputValue(), 'Half a sentence');
      await context.close();
    },
  },
  {
    name: 'menu: two tabs with a new product have separate drafts, and both are there after a crash',
    run: async (room) => {
      const first = await room.visit('/menu/products/new');
      const context = first.context();
      const nameIn = (page: Page) => page.getByRole('textbox', { name: 'Name, English' });
      await nameIn(first).fill('Lentil soup');
      await waitForDraft(first, 'Lentil soup');
      const second = await context.newPage();
      await room.go(second, '/menu/products/new');
      assert.equal(await nameIn(second).inputValue(), '');
      assert.equal(await second.getByText(/unsent changes/).count(), 0);
      await nameIn(second).fill('Date cake');
      await waitForDraft(second, 'Date cake');
      // A reload restores the draft of its own tab, not the newest draft.
      first.on('dialog', (dialog) => void dialog.accept());
      await first.reload();
      await settled(first);
      await first.getByText(/Your unsent changes of .* are back/).waitFor();
      assert.equal(await nameIn(first).inputValue(), 'Lentil soup');
      await Promise.all([first, second].map((page) => page.close({ runBeforeUnload: false })));
      const again = await context.newPage();
      await room.go(again, '/menu/products/new');
      await again.getByText(/Your unsent changes of .* are back/).waitFor();
      assert.equal(await nameIn(again).inputValue(), 'Date cake');
      await assertFaultless(again);
      const other = again.getByRole('button', { name: /^Show those of/ });
      await other.click();
      await eventually(() => nameIn(again).inputValue(), 'Lentil soup');
      await other.click();
      await eventually(() => nameIn(again).inputValue(), 'Date cake');
      // One draft is discarded, and the other one still exists.
      await again.getByRole('button', { name: 'Discard changes' }).click();
      await other.click();
      await eventually(() => nameIn(again).inputValue(), 'Lentil soup');
      await again.getByRole('button', { name: 'Discard changes' }).click();
      await eventually(() => draftsOf(again), '[]');
      await context.close();
    },
  },
  {
    name: 'menu: an editor makes, corrects and deletes a product with the keyboard alone',
    run: async (room) => {
      const page = await room.visit('/menu');
      await tabToName(page, 'New product');
      await page.keyboard.press('Enter');
      await page.waitForURL(/products\/new/);
      await tabToName(page, 'Name, English');
      await page.keyboard.type('Keyboard soup');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await tabToName(page, 'Category');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await tabToName(page, 'Name, English');
      await page.keyboard.press('Enter');
      await page.waitForURL(/products\/(?!new)/);
      const { data } = await room.client.manage.menuProducts.list({ q: 'keyboard' });
      assert.deepEqual(
        data.map(({ slug, published }) => [slug, published]),
        [['keyboard-soup', false]],
      );
      await settled(page);
      await tabToName(page, 'Delete');
      await page.keyboard.press('Enter');
      // The button behind the dialog has the same name.
      await page.locator('[role=alertdialog]:focus, [role=alertdialog] :focus').waitFor();
      await tabToName(page, 'Delete');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/menu$/);
      assert.deepEqual((await room.client.manage.menuProducts.list({ q: 'keyboard' })).data, []);
      await page.context().close();
    },
  },
  {
    name: 'menu: an editor changes many products at once',
    run: async (room) => {
      const page = await room.visit('/menu?q=soup');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('button', { name: 'Unpublish' }).click();
      await page.getByText(/^Changed: \d+\.$/).waitFor();
      const { data } = await room.client.manage.menuProducts.list({ q: 'soup' });
      assert.ok(data.length > 0);
      assert.deepEqual(new Set(data.map(({ published }) => published)), new Set([false]));
      await page.context().close();
    },
  },
];

/** Presses Tab until the element with this name has the focus. */
async function tabToName(page: Page, name: string): Promise<void> {
  const named = page.getByLabel(name, { exact: true }).or(page.getByRole('button', { name, exact: true }));
  const target = named.or(page.getByRole('link', { name, exact: true }));
  await target.first().waitFor();
  for (let tries = 0; tries < 200; tries++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not come to ${name}.`);
}
