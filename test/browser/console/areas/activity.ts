import { eventually } from '../../eventually.ts';
import { type Screen, type Story, settled } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'activity', address: '/activity' },
  { name: 'activity of one kind', address: '/activity?recordKind=menu-products' },
  { name: 'activity without a match', address: '/activity?recordId=nothing' },
];

export const stories: readonly Story[] = [
  {
    name: 'activity: a manager sees who made a change and what changed, and opens the record',
    run: async (room) => {
      const { data } = await room.client.manage.menuCategories.list({ limit: 1 });
      const id = data[0]?.id ?? '';
      await room.client.manage.menuCategories.update(id, { position: 7 });
      const page = await room.visit('/activity');
      await page.getByLabel('Kind').selectOption({ label: 'Category' });
      await page.waitForURL(/recordKind=menu-categories/);
      await settled(page);
      const row = page.getByRole('row', { name: new RegExp(`Tests.*Changed.*${id}.*position`) });
      await row.first().waitFor();
      await page.getByLabel('Who').selectOption({ label: 'Operator' });
      await page.getByText('Nothing matches.').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row.first().getByRole('link').click();
      await page.waitForURL(new RegExp(`#/menu/categories/${id}$`));
      await page.context().close();
    },
  },
  {
    name: 'activity: a manager sees who signed in, in both languages',
    run: async (room) => {
      const page = await room.visit('/activity');
      await page.getByLabel('Action').selectOption({ label: 'Signed in' });
      await page.waitForURL(/action=signIn/);
      await settled(page);
      await page
        .getByRole('row', { name: /Mona Manager.*Signed in.*mem_manager/ })
        .first()
        .waitFor();
      await page.context().close();
      const arabic = await room.visit('/activity?action=signIn', 'manager', { locale: 'ar-SA' });
      await arabic
        .getByRole('row', { name: /تسجيل دخول/ })
        .first()
        .waitFor();
      await arabic.context().close();
    },
  },
  {
    name: 'activity: the back button restores the filters of the earlier address',
    run: async (room) => {
      const page = await room.visit('/activity?recordKind=menu-products');
      await room.go(page, '/activity?recordId=nothing');
      const box = page.getByRole('searchbox');
      await eventually(() => box.inputValue(), 'nothing');
      await page.getByText('Nothing matches.').waitFor();
      await box.fill('none');
      await page.waitForURL(/recordId=none/);
      await page.goBack();
      await page.waitForURL(/recordKind=menu-products/);
      await eventually(() => box.inputValue(), '');
      await page.context().close();
    },
  },
  {
    name: 'activity: a filter by days includes the whole first and last day',
    run: async (room) => {
      const page = await room.visit('/activity');
      // The test may run past midnight, so the day comes from the first event.
      const at = await page.locator('tbody time').first().getAttribute('datetime');
      const day = await page.evaluate<string>(`new Date('${at}').toLocaleDateString('sv-SE')`);
      await room.go(page, `/activity?since=${day}&until=${day}`);
      await page.locator(`tbody time[datetime="${at}"]`).waitFor();
      await room.go(page, '/activity?since=2001-01-01&until=2001-01-02');
      await page.getByText('Nothing matches.').waitFor();
      await page.context().close();
    },
  },
];
