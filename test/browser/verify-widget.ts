import { strict as assert } from 'node:assert';
import { mkdir } from 'node:fs/promises';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { LocalService } from '#test/support/processes.ts';
import { Attempts } from './attempts.ts';
import { findChromium } from './chromium.ts';
import { startCutProxy } from './cut-proxy.ts';
import { eventually } from './eventually.ts';
import { composeAsChromium, composeAsSafari } from './input-method.ts';
import { patienceMilliseconds, WidgetPage } from './widget-page.ts';

/**
 * Uses the chat of the demo's website as visitors do. The page and the service have different origins, and the page has
 * a strict policy. `npm run verify:widget -- phone` tells the stories whose titles contain this word. With
 * SCREENSHOTS=<folder> it writes pictures there.
 */
const program = findChromium();
if (program === undefined) {
  console.error('This needs Chromium: sudo apt-get install chromium, or CHROMIUM=/path/to/it.');
  process.exit(2);
}

const folder = process.env['SCREENSHOTS'];
if (folder !== undefined) await mkdir(folder, { recursive: true });
const wide = { width: 1280, height: 860 };
const narrow = { width: 390, height: 844 };

const model = await startOpenAiServer();
const line = await startCutProxy();
const service = await LocalService.start();
// A slow model can be interrupted.
Object.assign(process.env, { AI_MODEL: 'openai/slow', OPENAI_BASE_URL: model.url });
const slow = await LocalService.start();
const launch = () => chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
let browser = await launch();
const attempts = new Attempts();

/** The website has another host name, and so another origin than the service. */
const websiteOf = ({ url }: LocalService) => `${url.replace('127.0.0.1', 'localhost')}/_local/website`;

interface Story {
  readonly title: string;
  readonly language?: 'en' | 'ar';
  readonly options?: BrowserContextOptions;
  readonly of?: LocalService;
  /** Messages of the browser itself, for example about a lost connection. */
  readonly complaints?: RegExp;
  readonly tell: (page: WidgetPage) => Promise<void>;
}

/** Each story has a new browser profile, and so a new visitor. */
async function run({ language = 'en', options, of = service, complaints, tell }: Story): Promise<void> {
  // Animations would be measured in the middle.
  const context = await browser.newContext({ viewport: wide, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patienceMilliseconds);
  let page: WidgetPage | undefined;
  try {
    page = await WidgetPage.open(context, `${websiteOf(of)}/${language}`);
    await tell(page);
    assert.deepEqual(
      page.complaints.filter((text) => !complaints?.test(text)),
      [],
    );
  } catch (error) {
    if (page) await picture(page, 'failure').catch(() => {});
    throw error;
  } finally {
    await context.close();
  }
}

/** The state of a failed story must not affect its retry or the next stories. */
async function restart(): Promise<void> {
  line.mend();
  await browser.close();
  browser = await launch();
}

async function picture({ page }: WidgetPage, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/widget-${name}.png` });
}

/** A call of the restaurant's team. */
async function byTeam(method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: 'Bearer saffron-desk-key-0000000000', 'content-type': 'application/json' };
  const url = `${service.url}/api/v1/connect/conversations/${path}`;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path} returned ${response.status}.`);
}

const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const hostileName = '"><img src=x onerror=alert(1)>\u202egnp.exe';

const looks: Story[] = (['en', 'ar'] as const).flatMap((language) =>
  [
    { size: wide, scheme: 'light' as const },
    { size: narrow, scheme: 'light' as const },
    { size: { width: 320, height: 568 }, scheme: 'light' as const },
    { size: wide, scheme: 'dark' as const },
  ].map(({ size, scheme }) => ({
    title: `the chat in ${language}, ${size.width} pixels wide, ${scheme}`,
    language,
    options: { viewport: size, colorScheme: scheme },
    tell: async (page: WidgetPage) => {
      const name = `${language}-${size.width}-${scheme}`;
      if (size === wide) await picture(page, `${name}-closed`);
      await page.openPanel();
      // The hint of the empty text field has the direction of the page.
      const hint = await page.text.evaluate((it) => it.matches(':dir(rtl)'));
      assert.equal(hint, language === 'ar');
      const question = language === 'ar' ? 'كم سعر كبسة اللحم؟' : 'How much is the lamb kabsa?';
      assert.match(await page.ask(question), language === 'ar' ? /ريال/ : /SAR/);
      const isRightToLeft = await page.replies.last().evaluate((it) => it.matches(':dir(rtl)'));
      assert.equal(isRightToLeft, language === 'ar');
      const box = await page.launcher.boundingBox();
      assert.equal((box?.x ?? 0) < size.width / 2, language === 'ar', 'The button is on the wrong side.');
      if (size !== wide) {
        const { width = 0, height = 0 } = (await page.panel.boundingBox()) ?? {};
        assert.deepEqual({ width, height }, size);
      }
      await page.requireFitting();
      await page.requireAccessible();
      await picture(page, name);
    },
  })),
);

const stories: Story[] = [
  ...looks,
  {
    title: 'a visitor opens the chat, writes, reads and closes it with the keyboard alone',
    tell: async ({ page, panel, replies, text }) => {
      const focused = () => page.evaluate('document.activeElement?.shadowRoot?.activeElement?.className ?? ""');
      for (let tabs = 0; (await focused()) !== 'launcher'; tabs += 1) {
        assert.ok(tabs < 20, 'The button cannot be reached.');
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await panel.waitFor();
      await eventually(() => text.evaluate((it) => it.matches(':focus')), true);
      await page.keyboard.type('One line');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('and another: what is in the mandi?');
      await page.keyboard.press('Enter');
      await replies.first().waitFor();
      assert.match((await panel.locator('.customer .text').textContent()) ?? '', /^One line\nand another/);
      await panel
        .locator('[aria-live=polite]')
        .filter({ hasText: /^Assistant: / })
        .waitFor({ state: 'attached' });
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Shift+Tab');
      assert.equal(await focused(), 'log');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
      await eventually(focused, 'launcher');
      await page.locator('.launcher[aria-expanded=false]').waitFor();
    },
  },
  {
    title: 'a key that an input method uses neither sends the text nor closes the chat',
    options: { viewport: narrow },
    tell: async (it) => {
      await it.openPanel();
      const { text, panel, page } = it;
      await composeAsSafari(text, { typed: 'にほん', chosen: '日本', key: 'Enter' });
      await composeAsChromium(text, { typed: 'nihao', chosen: '你好', key: 'Enter' });
      for (const compose of [composeAsSafari, composeAsChromium])
        await compose(text, { typed: '안녕', chosen: '', key: 'Escape' });
      assert.equal(await text.inputValue(), '日本你好');
      assert.ok(await panel.isVisible());
      assert.equal(await panel.locator('.customer').count(), 0);
      await page.keyboard.press('Enter');
      await it.messages.first().waitFor();
      assert.deepEqual(await panel.locator('.customer .text').allTextContents(), ['日本你好']);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'hidden' });
    },
  },
  {
    title: 'on a phone the focus stays in the chat while it covers the page',
    options: { viewport: narrow },
    tell: async (it) => {
      await it.openPanel();
      for (let tabs = 0; tabs < 12; tabs += 1) {
        await it.page.keyboard.press('Tab');
        const tag = await it.page.evaluate('document.activeElement?.tagName');
        assert.ok(tag === 'DIV' || tag === 'BODY', `The focus is on ${tag}.`);
      }
      await it.page.setViewportSize(wide);
      // The page can get the focus again after the chat has noticed its new size.
      const focusLink = async () => {
        await it.page.getByRole('link').first().focus();
        return it.page.evaluate('document.activeElement?.tagName');
      };
      await eventually(focusLink, 'A');
    },
  },
  {
    title: 'a visitor who loses the connection sees the rest of the reply afterwards, one time',
    of: slow,
    options: { proxy: { server: line.url, bypass: '<-loopback>' } },
    complaints: /net::ERR|Failed to load resource/,
    tell: async (it) => {
      // On a slow page, too, the reply has not ended before.
      const cut = Promise.withResolvers<void>();
      model.answer({
        say: 'A long reply about rice that takes its time to be said in full'.split(/(?= )/),
        pause: 250,
        until: cut.promise,
      });
      await it.openPanel();
      await it.write('Tell me about rice.');
      await it.panel.locator('.growing .text').filter({ hasText: 'A long reply' }).waitFor();
      await picture(it, 'reply-growing');
      line.cut();
      cut.resolve();
      await it.panel.locator('.growing .note').waitFor();
      await it.write('And about bread?');
      await it.until('notice', /^No connection/);
      await picture(it, 'offline');
      line.mend();
      await it.replies.nth(1).waitFor();
      await it.page.waitForTimeout(3_000);
      const texts = await it.panel.locator('.customer .text').allTextContents();
      assert.deepEqual(texts, ['Tell me about rice.', 'And about bread?']);
      assert.equal(await it.messages.count(), 4);
      await it.until('notice', /^$/);
    },
  },
  {
    title: 'a visitor finds unsent text after a reload',
    tell: async (it) => {
      await it.openPanel();
      await it.text.fill('Half a sent');
      await it.page.reload();
      await it.openPanel();
      await eventually(() => it.text.inputValue(), 'Half a sent');
    },
  },
  {
    title: 'two tabs show one conversation, and each message one time',
    tell: async (first) => {
      await first.openPanel();
      await first.ask('How much is the lamb kabsa?');
      const second = await WidgetPage.open(first.page.context(), first.page.url());
      await second.openPanel();
      await second.messages.nth(1).waitFor();
      await second.ask('And the mandi?');
      await first.messages.nth(3).waitFor();
      await first.page.waitForTimeout(3_000);
      for (const tab of [first, second]) assert.equal(await tab.messages.count(), 4);
      assert.equal(await first.conversationId(), await second.conversationId());
      assert.deepEqual(second.complaints, []);
    },
  },
  {
    title: 'a visitor whose session is invalid begins a new conversation',
    complaints: /Failed to load resource: .* 40[14]/,
    tell: async (it) => {
      await it.openPanel();
      await it.ask('How much is the lamb kabsa?');
      const before = await it.conversationId();
      const change = "localStorage.setItem(key, text.replace(/wst_\\w+/, 'wst_' + 'a'.repeat(43)))";
      await it.page.evaluate(`for (const [key, text] of Object.entries(localStorage)) ${change}`);
      await it.page.reload();
      await it.openPanel();
      assert.match(await it.ask('How much is the mandi?'), /SAR/);
      assert.notEqual(await it.conversationId(), before);
      assert.equal(await it.messages.count(), 2);
    },
  },
  {
    title: 'a visitor who signs in does not see the conversation from before',
    tell: async (it) => {
      await it.openPanel();
      await it.ask('How much is the lamb kabsa?');
      // The markup that the server of the website writes into the page.
      const sign = "document.querySelector('script[data-session]')?.setAttribute('data-visitor', 'sami')";
      const observe = `new MutationObserver(() => ${sign}).observe(document, { subtree: true, childList: true })`;
      await it.page.addInitScript({ content: observe });
      await it.page.reload();
      await it.openPanel();
      await it.until('status', /assistant/);
      assert.equal(await it.messages.count(), 0);
      await it.ask('How much is the mandi?');
      await it.page.reload();
      await it.openPanel();
      await it.messages.nth(1).waitFor();
    },
  },
  {
    title: 'a visitor sees hostile texts and file names as text, and downloads files unchanged',
    tell: async (it) => {
      await it.openPanel();
      const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      await it.panel.locator('input[type=file]').setInputFiles([
        { name: hostileName, mimeType: 'text/html', buffer: Buffer.from(hostile) },
        { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
        { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(5_000_000, 1) },
      ]);
      await picture(it, 'files-chosen');
      await it.write(hostile);
      await it.panel.locator('[data-id] canvas').waitFor();
      await byTeam('POST', `${await it.conversationId()}/messages`, { senderType: 'member', text: hostile });
      await it.panel.locator('.messages > .member').waitFor();
      await it.requireAccessible();
      await picture(it, 'files');
      assert.equal(await it.panel.locator('img, script, a').count(), 0);
      assert.deepEqual(await it.panel.locator('.customer > .bubble > .text').allTextContents(), [hostile]);
      for (const [index, bytes] of [Buffer.from(hostile).length, 0, 5_000_000].entries()) {
        if (bytes === 0) continue;
        const saved = it.page.waitForEvent('download');
        await it.panel.locator('[data-id] button.file').nth(index).click();
        const chunks = await (await (await saved).createReadStream()).toArray();
        assert.equal(Buffer.concat(chunks).length, bytes);
      }
      assert.equal(await it.page.title(), 'Saffron Kitchen');
    },
  },
  {
    title: 'a visitor sees that a member takes over, replies, and hands the conversation back',
    tell: async (it) => {
      await it.openPanel();
      await it.ask('How much is the lamb kabsa?');
      const id = await it.conversationId();
      await byTeam('PATCH', id, { assignee: { type: 'member', id: 'mem_lina' } });
      await it.until('status', /member of our team/);
      await it.write('Can I book a table for twenty?');
      await it.messages.nth(2).waitFor();
      await byTeam('POST', `${id}/messages`, {
        senderType: 'member',
        text: 'Of course! Lina here. For which evening?',
      });
      await it.panel.locator('.messages > .member').waitFor();
      assert.equal(await it.replies.count(), 1);
      await picture(it, 'member');
      await it.launcher.click();
      await byTeam('POST', `${id}/messages`, { senderType: 'member', text: 'Thursday is free.' });
      await it.launcher.locator('.count').filter({ hasText: '1' }).waitFor();
      await picture(it, 'unread');
      await it.openPanel();
      await byTeam('PATCH', id, { assignee: null, status: 'open' });
      await it.until('status', /assistant/);
      assert.match(await it.ask('How much is the mandi?'), /SAR/);
    },
  },
];

try {
  for (const story of stories.filter(({ title }) => title.includes(process.argv[2] ?? '')))
    await attempts.try(story.title, async (isAgain) => {
      if (isAgain) await restart();
      await run(story);
    });
} finally {
  attempts.finish();
  await browser.close();
  await Promise.all([service.stop(), slow.stop(), model.close(), line.stop()]);
}
