import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { Form } from '#lib/domain/forms/form.ts';
import { assertFaultless } from '../look.ts';
import { type Room, type Screen, type Story, save } from '../room.ts';

export const screens: readonly Screen[] = [
  { name: 'forms', address: '/forms' },
  { name: 'forms new', address: '/forms/new' },
  {
    name: 'forms builder',
    address: '/forms/edit/form_reservation',
    prepare: async (page) => {
      for (const place of [3, 4, 6]) await page.locator('.fold-toggle').nth(place).click();
    },
  },
  { name: 'forms responses', address: '/forms/responses/form_contact' },
  {
    name: 'forms response',
    address: '/forms/responses/form_contact',
    prepare: async (page) => {
      await page.locator('tbody button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

const text = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The downloaded text after a click, without its byte order mark. */
async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  const content = await readFile(await file.path(), 'utf8');
  assert.equal(content.charCodeAt(0), 0xfeff);
  return content.slice(1);
}

const linesOf = (csv: string): string[] => csv.trimEnd().split('\r\n');

/** A form with two questions and three responses, separate from the demo's forms. */
async function answeredForm(room: Room, slug: string): Promise<string> {
  const question = (ref: string, order: number) => ({
    id: `ff_${ref}`,
    ref,
    title: { en: ref, ar: `سؤال ${order}` },
    type: 'TEXT' as const,
    order,
  });
  const { manage } = room.client;
  const form = { slug, title: { en: slug }, fields: [question('dish', 1), question('reason', 2)] };
  const { record } = await manage.forms.create(form);
  for (const dish of ['=HYPERLINK("x")', 'Kabsa', 'Mandi']) await room.client.submitForm(slug, { dish });
  return record.id;
}

export const stories: readonly Story[] = [
  {
    name: 'forms: an editor builds a form with the keyboard and a preview, and opens it',
    run: async (room) => {
      const page = await room.visit('/forms');
      await page.getByRole('link', { name: 'New form' }).click();
      await text(page, 'Title, English').fill('Cooking class');
      await text(page, 'Title, Arabic').fill('درس طبخ');
      assert.equal(await text(page, 'Address').inputValue(), 'cooking-class');
      await button(page, 'Add a field').click();
      await text(page, 'Question, English').fill('Your name');
      await page.getByRole('checkbox', { name: 'Required' }).check();
      await page.getByRole('button', { name: /Your name/, expanded: true }).click();
      await button(page, 'Add a field').click();
      await text(page, 'Question, English').fill('Which class?');
      await page.getByRole('combobox', { name: 'Type' }).selectOption('RADIO');
      await button(page, 'Add a choice').click();
      await text(page, 'Label, English').fill('Bread');
      await button(page, 'Duplicate').click();
      await button(page, 'Move up: Which class?').first().focus();
      await page.keyboard.press('Alt+ArrowUp');
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByRole('radio', { name: 'Bread' }).first().waitFor();
      await preview.getByRole('textbox', { name: 'Your name *' }).waitFor();
      await page.getByRole('checkbox', { name: 'Takes answers' }).check();
      await button(page, 'Add an address').click();
      await text(page, 'E-mail address').fill('classes@saffron.example');
      await assertFaultless(page);
      await button(page, 'Create').click();
      await page.waitForURL(/forms\/edit\/(?!new)/);
      const { record } = await room.client.manage.forms.get(page.url().split('/').at(-1) ?? '');
      const { fields, enabled, notifications } = record as unknown as Form;
      assert.deepEqual([enabled, notifications.emails], [true, ['classes@saffron.example']]);
      assert.deepEqual(
        fields.map(({ ref, type, order }) => [ref, type, order]),
        [
          ['whichClass', 'RADIO', 1],
          ['yourName', 'TEXT', 2],
          ['whichClass2', 'RADIO', 3],
        ],
      );
      await room.client.submitForm('cooking-class', { yourName: 'Huda', whichClass: 'option_1' });
      await page.getByRole('link', { name: 'Responses' }).click();
      await page.getByRole('cell', { name: 'Bread' }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'forms: a member reads and filters responses, and exports all, the filtered or the selected ones',
    run: async (room) => {
      const id = await answeredForm(room, 'tastes');
      const page = await room.visit(`/forms/responses/${id}`);
      const all = linesOf(await download(page, 'CSV of all'));
      assert.equal(all[0], '"id","createdAt","dish","reason","otherAnswers","meta"');
      assert.equal(all.length, 4);
      assert.match(all.at(-1) ?? '', /"'=HYPERLINK\(""x""\)"/);
      await page.getByRole('row', { name: /Kabsa/ }).getByRole('checkbox').check();
      const selected = linesOf(await download(page, 'CSV of the selected'));
      assert.deepEqual([selected.length, selected[1]?.includes('Kabsa')], [2, true]);
      await page.getByRole('row', { name: /Mandi/ }).getByRole('button').click();
      const dialog = page.getByRole('dialog', { name: 'Response' });
      await dialog.getByText('Mandi').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByLabel('From').fill('2031-01-01');
      await page.getByText('Nothing matches.').waitFor();
      assert.equal(linesOf(await download(page, 'CSV of the filtered')).length, 1);
      await page.context().close();
    },
  },
  {
    name: 'forms: a member opens the responses of a form from a new response on the overview',
    run: async (room) => {
      await answeredForm(room, 'noticed');
      const page = await room.visit('/overview');
      await page.getByRole('region', { name: 'New responses' }).getByRole('listitem').getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Responses', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'noticed' }).waitFor();
      await page.context().close();
    },
  },
  {
    name: 'forms: an editor is asked before removing a field with answers, and cannot delete a form with responses',
    run: async (room) => {
      const id = await answeredForm(room, 'guarded');
      const page = await room.visit(`/forms/edit/${id}`);
      await page.locator('.fold-toggle', { hasText: 'reason' }).click();
      await button(page, 'Remove the field').click();
      await page.locator('.fold-toggle', { hasText: 'reason' }).waitFor({ state: 'detached' });
      await page.locator('.fold-toggle', { hasText: 'dish' }).click();
      await button(page, 'Remove the field').click();
      const question = page.getByRole('alertdialog', { name: 'Remove “dish”?' });
      await question.getByText('Responses that answer it: 3.').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await save(page);
      const { record } = await room.client.manage.forms.get(id);
      assert.deepEqual(
        (record as unknown as Form).fields.map(({ ref }) => ref),
        ['dish'],
      );
      await button(page, 'Delete').click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/This form is in use/).waitFor();
      await assertFaultless(page);
      await page.context().close();
    },
  },
];
