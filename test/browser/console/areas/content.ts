import { strict as assert } from 'node:assert';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually.ts';
import { assertFaultless } from '../look.ts';
import { type Room, type Screen, type Story, save, settled, waitForDraft } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'content databases', address: '/content' },
  { name: 'content new database', address: '/content/databases/new' },
  {
    name: 'content fields',
    address: '/content/databases/edit/chefs',
    prepare: async (page) => {
      for (const key of ['specialty', 'mentor']) await page.locator('.fold-toggle', { hasText: key }).click();
    },
  },
  { name: 'content entries', address: '/content/entries/articles' },
  {
    name: 'content entries selected',
    address: '/content/entries/chefs?sort=-joinedOn&columns=mentor,signature',
    prepare: async (page) => {
      await page.getByRole('checkbox').nth(1).check();
      await page.locator('.content-columns summary').click();
    },
  },
  {
    name: 'content filters',
    address: '/content/entries/chefs?filter%5Bname%5D%5Bcontains%5D=o&filter%5Bmentor%5D%5Bempty%5D=true',
    prepare: async (page) => {
      await page.locator('[aria-haspopup=dialog]').click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'content new entry', address: '/content/entries/locations/new' },
  { name: 'content entry', address: '/content/entries/chefs/edit/chef_noura' },
  {
    name: 'content text with its preview',
    address: '/content/entries/articles/edit/article_choosing_saffron',
    prepare: async (page) => {
      for (const toggle of await page.locator('.content-rich [aria-pressed]').all()) await toggle.click();
    },
  },
  {
    name: 'content relation',
    address: '/content/entries/chefs/edit/chef_sara',
    prepare: async (page) => {
      await page.locator('[aria-haspopup=dialog]').last().click();
      await page.locator('.target-choice').first().waitFor();
    },
  },
];

const entryOf = async (room: Room, id: string) => (await room.client.manage.cmsEntries.get(id)).record;
const text = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The method of an input that the types of the test lack. */
interface Selectable {
  setSelectionRange(start: number, end: number): void;
}

export const stories: readonly Story[] = [
  {
    name: 'content: an editor writes an entry with relations in two languages and publishes it',
    run: async (room) => {
      const page = await room.visit('/content/entries/articles');
      await page.getByRole('link', { name: 'New entry' }).click();
      await text(page, 'Title *, English').fill('Why we roast our own cardamom');
      await page.getByRole('checkbox', { name: 'Ingredients' }).check();
      await button(page, 'Choose: Author').click();
      await page.getByRole('searchbox', { name: 'Search records' }).fill('noura');
      await page.locator('.target-choice', { hasText: 'Noura' }).click();
      await button(page, 'Choose: Topics').click();
      await button(page, 'Create a new one').click();
      await text(page, 'Name *, English').fill('Cardamom');
      await page
        .getByRole('dialog')
        .or(page.getByRole('alertdialog'))
        .getByRole('button', { name: 'Create', exact: true })
        .click();
      await page.locator('.target-name', { hasText: 'Cardamom' }).waitFor();
      await page.getByText('Arabic: 1 missing').waitFor();
      await text(page, 'Title *, Arabic').fill('لماذا نحمّص الهيل بأنفسنا');
      await button(page, 'Save and publish').click();
      await page.getByText('Published.', { exact: true }).waitFor();
      await page.waitForURL(/entries\/articles\/edit\//);
      const id = page.url().split('/').at(-1) ?? '';
      const stored = await entryOf(room, `articles/${id}`);
      const values = stored['values'] as Record<string, unknown>;
      assert.equal(stored['published'], true);
      assert.deepEqual(values['title'], { en: 'Why we roast our own cardamom', ar: 'لماذا نحمّص الهيل بأنفسنا' });
      assert.deepEqual([values['author'], values['tags']], ['chef_noura', ['ingredients']]);
      const [topic] = values['topics'] as string[];
      assert.deepEqual((await entryOf(room, `topics/${topic}`))['values'], {
        name: { en: 'Cardamom' },
        summary: null,
        featured: null,
        position: null,
      });
      await settled(page);
      await assertFaultless(page);
      await page.context().close();
    },
  },
  {
    name: 'content: an editor filters entries by fields and by missing translations',
    run: async (room) => {
      const page = await room.visit('/content/entries/chefs');
      const rows = page.locator('tbody tr');
      const add = async (field: string, condition: string) => {
        await button(page, 'Add a filter').click();
        await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: field });
        await page.getByRole('combobox', { name: 'Condition' }).selectOption({ label: condition });
      };
      await add('Name', 'contains');
      await text(page, 'Value').fill('NOURA');
      await assertFaultless(page);
      await button(page, 'Filter').click();
      await page.getByText('Name contains NOURA').waitFor();
      await eventually(() => rows.count(), 1);
      await add('Mentor', 'has a value');
      await button(page, 'Filter').click();
      await page.getByText('Nothing matches.').waitFor();
      await page.reload();
      await settled(page);
      await page.getByText('Nothing matches.').waitFor();
      await button(page, 'Remove all filters').click();
      await add('Mentor', 'is');
      await button(page, 'Value').click();
      await page.locator('.target-choice', { hasText: 'Noura' }).click();
      await button(page, 'Filter').click();
      await page.getByText(/Mentor is .*Noura/).waitFor();
      await rows.first().waitFor();
      const { data } = await room.client.manage.cmsEntries.list({
        modelId: 'chefs',
        filter: { mentor: { eq: 'chef_noura' } },
      });
      assert.ok(data.length > 0);
      await eventually(() => rows.count(), data.length);
      await page.getByRole('button', { name: /^Remove the filter: Mentor is/ }).click();
      const { record } = await room.client.manage.cmsEntries.create({
        modelId: 'topics',
        published: true,
        values: { name: { en: 'Only English' } },
      });
      await room.go(page, '/content/entries/topics');
      await page.getByRole('combobox', { name: 'Texts' }).selectOption({ label: 'Missing in Arabic' });
      await page.waitForURL(/missing=ar/);
      await rows.filter({ hasText: 'Only English' }).waitFor();
      // The former rows stay until the new ones arrive.
      const areMissing = (texts: readonly string[]) => texts.every((text) => /Arabic: \d+ missing/.test(text));
      await eventually(async () => areMissing(await rows.allTextContents()), true);
      await assertFaultless(page);
      await room.client.manage.cmsEntries.delete(`topics/${record.id}`);
      await page.context().close();
    },
  },
  {
    name: 'content: a search for missing translations shows its progress; an editor stops and continues it',
    run: async (room) => {
      const { manage } = room.client;
      const title = { key: 'title', name: { en: 'Title' }, type: 'text' as const, localized: true };
      const { record: model } = await manage.cmsModels.create({ name: { en: 'Many' }, fields: [title] });
      const ids = Array.from({ length: 210 }, (_, index) => `${model.id}/many_${index}`);
      const record = { published: true, values: { title: { en: 'Both', ar: 'كلاهما' } } };
      const inHundreds = async (change: (id: string) => Parameters<typeof manage.changes>[0][number]) => {
        for (const some of [ids.slice(0, 99), ids.slice(99, 198), ids.slice(198)]) {
          const outcomes = await manage.changes(some.map(change));
          assert.deepEqual(
            outcomes.filter(({ error }) => error),
            [],
          );
        }
      };
      await inHundreds((id) => ({ method: 'PUT', kind: 'cms-entries', id, record }));
      const page = await room.visit(`/content/entries/${model.id}`);
      let release = () => {};
      const isHeld = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/cms-entries.*cursor=/, async (route) => {
        await isHeld;
        await route.continue();
      });
      await page.getByRole('combobox', { name: 'Texts' }).selectOption({ label: 'Missing in Arabic' });
      await page.getByText('Looked through so far: 100').waitFor();
      await assertFaultless(page);
      await button(page, 'Stop').click();
      await page.getByText(/Looked through/).waitFor({ state: 'detached' });
      release();
      await page.getByText('Nothing so far. There is more to look through.').waitFor();
      await button(page, 'Show more').click();
      await page.getByText('Nothing matches.').waitFor();
      await page.context().close();
      await inHundreds((id) => ({ method: 'DELETE', kind: 'cms-entries', id }));
      await manage.cmsModels.delete(model.id);
    },
  },
  {
    name: 'content: two editors change one entry, and the later one sees both versions field by field',
    run: async (room) => {
      const page = await room.visit('/content/entries/offers');
      await page.locator('tbody a').first().click();
      await page.waitForURL(/edit\//);
      await settled(page);
      const id = page.url().split('/').at(-1) ?? '';
      await text(page, 'Title *, English').fill('Mine');
      await room.client.manage.cmsEntries.update(`offers/${id}`, { values: { title: { en: 'Theirs' }, percent: 7 } });
      await button(page, 'Save').click();
      const dialog = page.getByRole('alertdialog', { name: 'Somebody else changed this' });
      const row = dialog.getByRole('row', { name: /Title, English/ });
      assert.match(String(await row.textContent()), /Mine.*Theirs/);
      await assertFaultless(page);
      await dialog.getByRole('button', { name: 'Keep this choice' }).click();
      await save(page);
      const { title, percent } = (await entryOf(room, `offers/${id}`))['values'] as Record<string, unknown>;
      assert.deepEqual([(title as { en: string }).en, percent], ['Mine', 7]);
      await page.context().close();
    },
  },
  {
    name: 'content: an editor formats a text by buttons and keys, and the preview runs no scripts',
    run: async (room) => {
      const values = { title: { en: 'Formatted' }, body: { en: 'Dark red threads' } };
      const { record } = await room.client.manage.cmsEntries.create({ modelId: 'articles', values });
      const page = await room.visit(`/content/entries/articles/edit/${record.id}`);
      const area = text(page, 'Text, English');
      const toolbar = page.getByRole('toolbar', { name: 'Formatting: Text, English' });
      const select = (from: number, to: number) =>
        area.evaluate((input, [start, end]) => (input as unknown as Selectable).setSelectionRange(start, end), [
          from,
          to,
        ] as const);
      /** A mark selects its text at the next render. */
      const drawn = () => page.evaluate('new Promise(requestAnimationFrame)');
      await select(5, 8);
      await toolbar.getByRole('button', { name: 'Bold' }).click();
      await drawn();
      assert.equal(await area.inputValue(), 'Dark **red** threads');
      await page.keyboard.press('Control+i');
      await drawn();
      assert.equal(await area.inputValue(), 'Dark ***red*** threads');
      await page.keyboard.press('Control+z');
      assert.equal(await area.inputValue(), 'Dark **red** threads');
      await area.press('Control+End');
      await page.keyboard.type('\nSoak\nTaste');
      await select(21, 31);
      await toolbar.getByRole('button', { name: 'List', exact: true }).click();
      await drawn();
      await area.press('Control+End');
      await page.keyboard.type(
        '\n\n<img src=x onerror="document.title=1"> [bad](javascript:alert)\n\n[site](https://a.example)',
      );
      // The arrow keys move between the buttons, as in any toolbar.
      await toolbar.getByRole('button', { name: 'Heading' }).focus();
      for (let press = 0; press < 6; press++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const preview = page.getByRole('region', { name: 'Preview: Text, English' });
      assert.equal(await preview.locator('strong').textContent(), 'red');
      await eventually(() => preview.locator('li').allTextContents(), ['Soak', 'Taste']);
      assert.equal(await preview.locator('img').count(), 0);
      assert.equal(await preview.getByRole('link').count(), 1);
      assert.equal(await preview.getByRole('link', { name: 'site' }).getAttribute('href'), 'https://a.example');
      await assertFaultless(page);
      await save(page);
      const { body } = (await entryOf(room, `articles/${record.id}`))['values'] as { body: { en: string } };
      assert.match(body.en, /^Dark \*\*red\*\* threads\n- Soak\n- Taste\n\n<img /);
      await page.context().close();
    },
  },
  {
    name: "content: an editor's text that is not JSON is kept and not sent",
    run: async (room) => {
      const page = await room.visit('/content/entries/locations');
      await page.locator('tbody a').first().click();
      await page.waitForURL(/edit\//);
      await settled(page);
      const hours = text(page, 'Opening hours');
      await hours.fill('{"sunday": ');
      await button(page, 'Save').click();
      await page.getByRole('alert').getByText('Must be JSON.').waitFor();
      await waitForDraft(page, '{\\"sunday\\": ');
      await page.reload();
      await settled(page);
      await page.getByText(/Your unsent changes of .* are back/).waitFor();
      assert.equal(await hours.inputValue(), '{"sunday": ');
      await hours.fill('{"sunday": "9-17"}');
      await save(page);
      const id = page.url().split('/').at(-1) ?? '';
      const { openingHours } = (await entryOf(room, `locations/${id}`))['values'] as Record<string, unknown>;
      assert.deepEqual(openingHours, { sunday: '9-17' });
      await page.context().close();
    },
  },
  {
    name: 'content: an editor searches entries, and unpublishes, publishes and deletes many at once',
    run: async (room) => {
      const { manage } = room.client;
      for (const en of ['Bulk one', 'Bulk two']) {
        await manage.cmsEntries.create({ modelId: 'topics', published: true, values: { name: { en } } });
      }
      const listed = async () =>
        (await manage.cmsEntries.list({ modelId: 'topics', q: 'bulk' })).data.map(({ published }) => published);
      const page = await room.visit('/content/entries/topics');
      await page.getByRole('searchbox', { name: 'Search entries' }).fill('bulk');
      await page.waitForURL(/q=bulk/);
      await page.locator('tbody tr').nth(1).waitFor();
      await eventually(() => page.locator('tbody tr').count(), 2);
      const all = page.getByRole('checkbox', { name: 'Select all' });
      for (const [action, expected] of [
        ['Unpublish', false],
        ['Publish', true],
      ] as const) {
        await all.check();
        await button(page, action).click();
        await page.getByText('Done: 2').last().waitFor();
        await page.locator('.content-bulk').waitFor({ state: 'detached' });
        await eventually(listed, [expected, expected]);
      }
      await settled(page);
      await all.check();
      await button(page, 'Delete').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Nothing matches.').waitFor();
      await eventually(listed, []);
      await page.context().close();
    },
  },
  {
    name: 'content: an editor makes a database, orders its fields, and cannot delete it while it has entries',
    run: async (room) => {
      const page = await room.visit('/content');
      await page.getByRole('link', { name: 'New database' }).click();
      await text(page, 'Name of the database, English').fill('Suppliers');
      assert.equal(await text(page, 'Id').inputValue(), 'suppliers');
      await button(page, 'Add a field').click();
      await text(page, 'Name, English').fill('Company');
      await page.getByRole('button', { name: /Company/, expanded: true }).click();
      await button(page, 'Add a field').click();
      await text(page, 'Name, English').fill('Delivery days');
      await page.getByRole('combobox', { name: 'Type' }).selectOption('multiSelect');
      await button(page, 'Add a choice').click();
      await text(page, 'Label, English').fill('Monday');
      // Uses the keyboard only. The focus stays with the moved field.
      await button(page, 'Move up: Delivery days').focus();
      await page.keyboard.press('Alt+ArrowUp');
      await page.getByText('Now at position 1 of 2.').waitFor();
      await button(page, 'Move up: Delivery days').and(page.locator(':focus')).waitFor();
      await button(page, 'Create').click();
      await page.waitForURL(/databases\/edit\/suppliers/);
      const { record } = await room.client.manage.cmsModels.get('suppliers');
      const keys = (record['fields'] as { key: string; type: string }[]).map(({ key, type }) => [key, type]);
      assert.deepEqual(keys, [
        ['deliveryDays', 'multiSelect'],
        ['company', 'text'],
      ]);
      const values = { company: { en: 'Spice & Co' } };
      const { record: entry } = await room.client.manage.cmsEntries.create({ modelId: 'suppliers', values });
      await settled(page);
      await page.locator('.fold-toggle', { hasText: 'Company' }).click();
      await page.getByRole('combobox', { name: 'Type' }).selectOption('number');
      await button(page, 'Save').click();
      await page.locator('summary', { hasText: 'What uses it: 1' }).click();
      await page.getByRole('link', { name: entry.id }).waitFor();
      await assertFaultless(page);
      await button(page, 'Discard changes').click();
      await button(page, 'Delete').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/This CMS database is in use/).waitFor();
      await room.client.manage.cmsEntries.delete(`suppliers/${entry.id}`);
      await button(page, 'Delete').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL(/#\/content$/);
      await page.context().close();
    },
  },
];
