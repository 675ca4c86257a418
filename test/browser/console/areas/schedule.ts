import { strict as assert } from 'node:assert';
import { assertFaultless } from '../look.ts';
import { type Room, type Screen, type Story, save, settled } from '../room.ts';
import { managerKey } from '../workspace.ts';

export const screens: readonly Screen[] = [{ name: 'calendar', address: '/overview/calendar' }];

/** A day of the next year in Berlin on which clocks change: the last Sunday of March or October. */
function changingDay(month: 'March' | 'October'): string {
  const last = new Date(Date.UTC(new Date().getUTCFullYear() + 1, month === 'March' ? 2 : 9, 31));
  last.setUTCDate(31 - last.getUTCDay());
  return last.toISOString().slice(0, 10);
}

async function setTimeZone({ url }: Room, timeZone: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/manage/workspace`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${managerKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ timeZone }),
  });
  assert.equal(response.status, 200);
}

export const stories: readonly Story[] = [
  {
    name: 'schedule: a manager plans a product and an entry in the time zone of the workspace, and sees both in lists and in the calendar',
    run: async (room) => {
      await setTimeZone(room, 'Europe/Berlin');
      const { menuProducts, cmsEntries } = room.client.manage;
      const { data } = await menuProducts.list({ limit: 1 });
      const product = data[0];
      assert.ok(product);
      await menuProducts.replace('prod_planned', {
        ...product,
        id: 'prod_planned',
        slug: 'planned',
        name: { en: 'Planned pie', ar: 'فطيرة' },
        published: false,
        createdAt: undefined,
        updatedAt: undefined,
      });
      const page = await room.visit('/menu/products/prod_planned');
      const [spring, autumn] = [changingDay('March'), changingDay('October')];
      // Clocks in Berlin leave out the hour from two to three, so that the day has 23 hours.
      await page.getByLabel('Goes live at').fill(`${spring}T02:30`);
      assert.equal(await page.getByLabel('Goes live at').inputValue(), `${spring}T03:30`);
      await page.getByText('3:30 AM GMT+2, time zone: Europe/Berlin').waitFor();
      // The hour from two to three comes twice: the first one counts.
      await page.getByLabel('Ends at').fill(`${autumn}T02:30`);
      await page.getByText('2:30 AM GMT+2, time zone: Europe/Berlin').waitFor();
      await save(page);
      await assertFaultless(page);
      const { record } = await menuProducts.get('prod_planned');
      assert.deepEqual(
        [record.publishAt, record.unpublishAt].map((time) => new Date(time ?? '').toISOString()),
        [`${spring}T01:30:00.000Z`, `${autumn}T00:30:00.000Z`],
      );

      // The end has to be after the beginning.
      await page.getByLabel('Ends at').fill(`${spring}T01:00`);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Must be later than publishAt').first().waitFor();
      await page.getByRole('button', { name: 'Discard changes' }).click();

      await room.go(page, '/menu?q=Planned');
      await page.getByRole('row', { name: /Planned pie.*Scheduled.*Goes live .*3:30\sAM.*Ends / }).waitFor();

      const [database] = (await room.client.manage.cmsModels.list({ limit: 1 })).data;
      const [entry] = (await cmsEntries.list({ modelId: database?.id ?? '', limit: 1 })).data;
      await room.go(page, `/content/entries/${database?.id}/edit/${entry?.id}`);
      await page.getByLabel('Ends at').fill(`${spring}T12:00`);
      await save(page);
      await room.go(page, `/content/entries/${database?.id}`);
      await page.getByText('Scheduled', { exact: false }).first().waitFor();

      await room.go(page, '/overview');
      await page.getByRole('link', { name: 'Calendar' }).click();
      await page.getByRole('heading', { name: 'Calendar' }).waitFor();
      await settled(page);
      const day = page.getByRole('region', { name: /^Sunday, March/ });
      const rows = await day.getByRole('listitem').allInnerTexts();
      assert.equal(rows.length, 2);
      assert.match(
        rows.map((row) => row.replaceAll(/\s+/g, ' ')).join('; '),
        /^3:30 AM Goes live Planned pie.*; 12:00 PM Ends /,
      );
      await assertFaultless(page);
      await day.getByRole('link', { name: 'Planned pie' }).click();
      await page.waitForURL(/#\/menu\/products\/prod_planned$/);
      await settled(page);

      await cmsEntries.update(`${database?.id}/${entry?.id}`, { unpublishAt: null });
      await menuProducts.delete('prod_planned');
      await setTimeZone(room, 'UTC');
      await page.context().close();
    },
  },
];
