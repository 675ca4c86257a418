import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { assertFaultless } from '../look.ts';
import { draftsOf, type Screen, type Story, settled, waitForDraft } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'overview', address: '/overview' },
  { name: 'notifications', address: '/overview/notifications' },
  { name: 'settings', address: '/settings' },
  { name: 'nothing', address: '/there-is-nothing' },
  {
    name: 'navigation',
    address: '/overview',
    prepare: async (page) => {
      const button = page.locator('.topbar button').first();
      if (await button.isVisible()) await button.click();
    },
  },
];

/** Lists the parts of a table that a phone does not show, because they are cut off or outside their region. */
const outOfSight = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.table-region')].flatMap((region) => {
    const { left, right } = region.getBoundingClientRect();
    const isOutside = (one) => one.left < left || one.right > right;
    return [region, ...region.querySelectorAll('tbody *')]
      .filter((part) => part.checkVisibility())
      .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1 || isOutside(part.getBoundingClientRect()))
      .map((part) => part.outerHTML.slice(0, 160)).slice(0, 5);
  })`);

export const stories: readonly Story[] = [
  {
    name: 'shell: a member signs in and sees the overview; after a failure, the sign-in page shows the reason',
    run: async (room) => {
      const page = await (await room.window()).newPage();
      await page.goto(`${room.url}/console`);
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      await assertFaultless(page);
      await page.goto(`${room.url}/console#/sign-in?error=not_a_member`);
      await page
        .getByRole('alert')
        .getByText(/No workspace has an active member/)
        .waitFor();
      await room.signIn(page, 'manager');
      await page.waitForURL(/#\/overview$/);
      await page.getByRole('heading', { name: 'Hello, Mona Manager' }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'shell: a member sees only the permitted areas; other screens name the missing permission',
    run: async (room) => {
      const page = await room.visit('/content', 'kitchen');
      await page.getByText('cms:model:read, cms:entry:read').waitFor();
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      await eventually(() => links.allTextContents(), ['Overview', 'Menu', 'Settings']);
      await page.context().close();
      const editor = await room.visit('/menu/products/new', 'kitchen');
      await editor.getByText('menu:product:manage').waitFor();
      await editor.context().close();
      const categories = await room.visit('/menu/categories', 'kitchen');
      await categories.getByText('menu:category:manage').waitFor();
      await eventually(() => categories.getByRole('link', { name: 'New category' }).count(), 0);
      await categories.context().close();
      const manager = await room.visit('/overview');
      const all = ['Overview', 'Menu', 'Content', 'Forms', 'Inbox', 'Access', 'Activity', 'Settings'];
      await eventually(
        () => manager.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents(),
        all,
      );
      await manager.context().close();
    },
  },
  {
    name: 'shell: a member opens notifications and marks one or all as read or unread',
    run: async (room) => {
      const { forms, notifications } = room.client.manage;
      const field = { id: 'who', ref: 'who', title: { en: 'Who' }, type: 'TEXT' as const, order: 1 };
      await forms.create({ slug: 'bell', title: { en: 'Ring the bell' }, enabled: true, fields: [field] });
      const unread = async () => (await notifications.list({ unread: true })).data.map(({ id }) => id).sort();
      const before = (await unread()).length;
      for (let count = 0; count < 2; count++) await room.client.submitForm('bell', { who: 'Noor' });
      const page = await room.visit('/overview');
      const panel = page.getByRole('region', { name: 'Notifications' });
      await panel.getByText('New response to “Ring the bell”').first().waitFor();
      await panel.getByRole('link', { name: 'All notifications' }).click();
      await page.getByRole('checkbox', { name: 'Unread only' }).check();
      const rows = page.locator('tbody tr');
      await eventually(() => rows.count(), before + 2);
      await page.getByRole('button', { name: 'Mark as read: New response to “Ring the bell”' }).first().click();
      await eventually(async () => (await unread()).length, before + 1);
      await eventually(() => rows.count(), before + 1);
      await rows.getByRole('link').first().click();
      await page.waitForURL(/#\/forms\/responses\//);
      await eventually(async () => (await unread()).length, before);
      await room.go(page, '/overview/notifications');
      await page
        .getByRole('button', { name: /^Mark as unread/ })
        .first()
        .click();
      await eventually(async () => (await unread()).length, before + 1);
      await page.getByRole('button', { name: 'Mark all as read' }).click();
      await eventually(unread, []);
      await page.getByText('Unread', { exact: true }).first().waitFor({ state: 'detached' });
      await page.context().close();
    },
  },
  {
    name: 'shell: a member opens a link in a new tab',
    run: async (room) => {
      const page = await room.visit('/overview');
      const link = page.getByRole('link', { name: 'Forms', exact: true });
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        link.click({ modifiers: ['ControlOrMeta'] }),
      ]);
      await tab.waitForURL(`${room.url}/console#/forms`);
      await tab.getByRole('heading', { name: 'Forms', exact: true }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'shell: a member whose session ended signs in and sees the same screen with the unsaved text',
    run: async (room) => {
      const page = await (await room.window()).newPage();
      await page.goto(`${room.url}/console`);
      await room.signIn(page, 'manager');
      await room.go(page, '/menu/categories/cat_breakfast');
      await page.getByRole('textbox', { name: 'Name, English' }).fill('Early breakfast');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText(/Your session has ended/).waitFor();
      await room.signIn(page, 'manager');
      await page.waitForURL(/#\/menu\/categories\/cat_breakfast$/);
      await page.getByText(/Your unsent changes of .* are back/).waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Name, English' }).inputValue(), 'Early breakfast');
      await page.context().close();
    },
  },
  {
    name: 'shell: a member who leaves with unsaved work is asked first; signing out removes the work',
    run: async (room) => {
      const page = await (await room.window()).newPage();
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(`${room.url}/console`);
      await room.signIn(page, 'manager');
      await room.go(page, '/menu/categories/cat_drinks');
      const name = page.getByRole('textbox', { name: 'Name, English' });
      await name.fill('Cold drinks');
      await page.getByRole('link', { name: 'Settings' }).click();
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      assert.equal(await name.inputValue(), 'Cold drinks');
      await page.goBack();
      await question.getByRole('button', { name: 'Stay' }).click();
      assert.equal(await name.inputValue(), 'Cold drinks');
      await waitForDraft(page, 'Cold drinks');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL((address) => address.href !== `${room.url}/console#/menu/categories/cat_drinks`);
      await page.goto(`${room.url}/console`);
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      await eventually(() => draftsOf(page), '[]');
      await page.context().close();
    },
  },
  {
    name: 'shell: the console removes unsaved text older than seven days when it opens, and keeps newer text',
    run: async (room) => {
      const page = await room.visit('/menu/categories/cat_grill');
      await page.getByRole('textbox', { name: 'Name, English' }).waitFor();
      await page.evaluate(`new Promise((resolve) => {
        const opening = indexedDB.open('console', 1);
        opening.onsuccess = () => {
          const writing = opening.result.transaction('drafts', 'readwrite');
          for (const days of [6, 8])
            writing.objectStore('drafts').put({
              key: 'ws_console/mem_manager/inbox/days#' + days, savedAt: Date.now() - days * 86_400_000, value: '{}',
            });
          writing.oncomplete = () => resolve();
        };
      })`);
      await page.reload();
      await eventually(async () => (await draftsOf(page)).match(/days#\d/g)?.join() ?? '', 'days#6');
      await page.context().close();
    },
  },
  {
    name: 'shell: a member who changes the workspace is asked about unsaved work first',
    run: async (room) => {
      const page = await (await room.window()).newPage();
      await page.goto(`${room.url}/console`);
      await room.signIn(page, 'both');
      // A person with several workspaces and no last one chooses.
      const open = page.getByRole('button', { name: /^Open / }).first();
      await open
        .or(page.getByRole('navigation', { name: 'Main' }))
        .first()
        .waitFor();
      if (await open.isVisible()) await open.click();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      const workspaces = page.getByRole('combobox', { name: 'Workspace' });
      await room.go(page, '/menu/categories/cat_rice');
      const name = page.getByRole('textbox', { name: 'Name, English' });
      await name.fill('Rice of ours');
      await workspaces.selectOption('ws_other');
      const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      assert.deepEqual([await name.inputValue(), await workspaces.inputValue()], ['Rice of ours', 'ws_console']);
      await workspaces.selectOption('ws_other');
      await question.getByRole('button', { name: 'Leave' }).click();
      await page.waitForURL(/#\/overview$/);
      await page.locator('option:checked[value=ws_other]').waitFor({ state: 'attached' });
      assert.equal(await question.count(), 0);
      await page.context().close();
    },
  },
  {
    name: 'shell: a member without a connection sees an error and keeps the typed reply; with a connection the area opens',
    run: async (room) => {
      const page = await room.visit('/inbox/conv_huda');
      await page.getByRole('textbox', { name: 'Your reply' }).fill('Half a reply');
      await waitForDraft(page, 'Half a reply');
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Forms', exact: true }).click();
      const alert = page.getByRole('alert').filter({ hasText: 'Check your connection' });
      await alert.getByText('What you typed is kept.').waitFor();
      assert.equal(await page.locator('main').count(), 1);
      await assertFaultless(page);
      await alert.getByRole('button', { name: 'Try again' }).click();
      await alert.waitFor();
      await page.context().setOffline(false);
      const isThere = page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
      // The connection may return by itself just before the click.
      const again = alert.getByRole('button', { name: 'Try again' }).click();
      await Promise.any([isThere, again]);
      await isThere;
      await room.go(page, '/inbox/conv_huda');
      await eventually(() => page.getByRole('textbox', { name: 'Your reply' }).inputValue(), 'Half a reply');
      room.forgive(/ERR_INTERNET|AreaNotLoaded/);
      await page.context().close();
    },
  },
  {
    name: 'shell: a table that is wider than the screen shows that it scrolls',
    run: async (room) => {
      const all = 'specialty,joinedOn,portrait,signature,mentor,email';
      const page = await room.visit(`/content/entries/chefs?columns=${all}`, 'manager', {
        viewport: { width: 620, height: 800 },
      });
      await page.getByRole('row').nth(1).waitFor();
      const isHintShown = async () => (await page.getByText('Scroll sideways to see every column.').count()) > 0;
      await eventually(isHintShown, true);
      await page.setViewportSize({ width: 1920, height: 1000 });
      await eventually(isHintShown, false);
      await page.context().close();
    },
  },
  {
    name: 'shell: a phone shows the rows of a table as cards, with the name of every value, in both languages',
    run: async (room) => {
      // A change in the activity list whose path is wider than a phone.
      const id = 'prod_qursan';
      const { record } = await room.client.manage.menuProducts.get(id);
      const facts = { servingSize: '1', calories: 1, protein: 1, carbohydrates: 1, fat: 1, sugar: 1, sodium: 1 };
      const more = { allergens: [], dietary: [] };
      await room.client.manage.menuProducts.update(id, { nutritionFacts: { ...facts, ...more } });
      await room.client.manage.menuProducts.update(id, { nutritionFacts: { carbohydrates: 2 } });
      await room.client.manage.menuProducts.update(id, { nutritionFacts: record['nutritionFacts'] ?? null });
      for (const locale of ['en-US', 'ar-SA']) {
        const page = await room.visit('/access/members', 'manager', { locale, viewport: { width: 360, height: 800 } });
        for (const address of ['/access/members', '/access/keys', '/content/entries/chefs', '/menu', '/activity']) {
          await room.go(page, address);
          await page.locator('.table-region tbody tr').first().waitFor();
          assert.deepEqual(await outOfSight(page), [], `${address}, ${locale}`);
        }
        await room.go(page, '/access/members');
        await page.getByText('manager@console.example').first().waitFor();
        const shown = await page.evaluate("getComputedStyle(document.querySelector('td'), '::before').content");
        assert.equal(shown, locale === 'en-US' ? '"E-mail address"' : '"البريد الإلكتروني"');
        await page.context().close();
      }
    },
  },
  {
    name: 'shell: a screen fills a wide window, or has equal margins on both sides',
    run: async (room) => {
      const page = await room.visit('/overview', 'manager', { viewport: { width: 1920, height: 1000 } });
      const edges = () =>
        page.evaluate<{ start: number; end: number }>(`(() => {
          const [{ right }, main] = ['.sidebar', 'main'].map((selector) => document.querySelector(selector).getBoundingClientRect());
          return { start: main.left - right, end: innerWidth - main.right };
        })()`);
      assert.deepEqual(await edges(), { start: 0, end: 0 });
      const panels = await page.locator('.overview-panel').evaluateAll((all) => all.map(({ offsetTop }) => offsetTop));
      assert.deepEqual([panels.length, new Set(panels).size], [4, 1]);
      await page.setViewportSize({ width: 2560, height: 1000 });
      await eventually(async () => {
        const { start, end } = await edges();
        return start > 0 && start === end;
      }, true);
      await page.context().close();
    },
  },
  {
    name: 'shell: a notice on a phone does not cover the button that signs out',
    run: async (room) => {
      const page = await room.visit('/menu?q=qursan', 'kitchen', { viewport: { width: 360, height: 800 } });
      await page.context().setOffline(true);
      for (let count = 0; count < 2; count++) {
        await page.locator('label', { has: page.getByRole('switch') }).click();
        // The notice of a failure stays until it is dismissed.
        await page.locator('.toast.failed').nth(count).waitFor();
      }
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click({ trial: true, timeout: 30_000 });
      room.forgive(/ERR_INTERNET/);
      await page.context().close();
    },
  },
  {
    name: 'settings: a member chooses Arabic and sees the console in Arabic',
    run: async (room) => {
      const page = await room.visit('/settings', 'kitchen');
      await page.getByRole('combobox', { name: 'Language of the console' }).selectOption('ar');
      await page.getByRole('button', { name: 'Save' }).first().click();
      await page.getByRole('heading', { name: 'الإعدادات' }).waitFor();
      await page.locator('html[lang=ar][dir=rtl]').waitFor();
      await page.getByRole('combobox', { name: 'لغة لوحة التحكم' }).selectOption('');
      await page.getByRole('button', { name: 'حفظ' }).first().click();
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      await settled(page);
      await page.context().close();
    },
  },
];
