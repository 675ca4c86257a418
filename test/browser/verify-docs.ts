import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { LocalService } from '#test/support/processes.ts';
import { findChromium, Page } from './chromium.ts';

/**
 * Opens the reference page in a wide and in a narrow window. It must show every operation and fit the window. It must
 * send requests only to the service, and make a call with an entered key. With SCREENSHOTS=<folder> it writes pictures
 * there.
 */
const program = findChromium();
if (program === undefined) {
  console.error('This needs Chromium: sudo apt-get install chromium, or CHROMIUM=/path/to/it.');
  process.exit(2);
}

const key = 'saffron-site-key-0000000000';
const service = await LocalService.start();
try {
  for (const size of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    const page = await Page.open(program, `${service.url}/docs`, size);
    try {
      await verifyPage(page, size.width);
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined) await writeFile(`${folder}/docs-${size.width}.png`, await page.picture());
    } finally {
      await page.close();
    }
    console.log(`ok  the reference page works in a window ${size.width} pixels wide`);
  }
} finally {
  await service.stop();
}

async function verifyPage(page: Page, width: number): Promise<void> {
  await page.until("document.querySelectorAll('.opblock').length > 0");
  const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const operations = Object.values(paths).flatMap((methods) => Object.keys(methods));
  assert.equal(await page.ask("document.querySelectorAll('.opblock').length"), operations.length);
  await putKeyIn(page);
  await callFirst(page);
  // A phone widens `innerWidth` for a page that does not fit.
  assert.ok((await page.ask('document.documentElement.scrollWidth')) <= width, 'The page does not fit.');
  const requested: string[] = await page.ask("performance.getEntriesByType('resource').map(({ name }) => name)");
  assert.deepEqual(
    requested.filter((url) => !url.startsWith(`${service.url}/`) && !url.startsWith('data:')),
    [],
  );
  assert.deepEqual(page.complaints, []);
}

/** Uses the button, the first field, and the button of the dialog, as a person does. */
async function putKeyIn(page: Page): Promise<void> {
  const field = "document.querySelector('.modal-ux input[type=text], .modal-ux input[type=password]')";
  await page.ask("document.querySelector('.btn.authorize').click()");
  await page.until(`${field} !== null`);
  await page.ask(`${field}.focus()`);
  await page.type(key);
  await page.ask("document.querySelector('.modal-ux .btn.authorize').click()");
  await page.until("document.querySelector('.modal-ux .btn-done') !== null");
  await page.ask("document.querySelector('.modal-ux .btn-done').click()");
}

async function callFirst(page: Page): Promise<void> {
  await page.ask("document.querySelector('.opblock .opblock-summary-control').click()");
  await page.until("document.querySelector('.opblock .btn.execute') !== null");
  await page.ask("document.querySelector('.opblock .btn.execute').click()");
  const answer = "document.querySelector('.live-responses-table .response')";
  await page.until(`${answer} !== null`);
  assert.match(await page.ask(`${answer}.querySelector('.response-col_status').textContent`), /^200/);
  assert.match(await page.ask(`${answer}.textContent`), /Noura Al-Qahtani/);
  await page.ask(`document.querySelector('.opblock').scrollIntoView()`);
}
