import { strict as assert } from 'node:assert';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Longer than the pauses between the polls of an idle chat. */
export const patienceMilliseconds = 90_000;

/** A page of the demo's website with its chat, from a visitor's view. */
export class WidgetPage {
  readonly page: Page;
  /** The browser's errors about scripts, policy and requests. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
      if (message.text().startsWith('violation')) this.complaints.push(message.text());
    });
  }

  static async open(context: BrowserContext, url: string): Promise<WidgetPage> {
    const page = await context.newPage();
    const listen =
      "document.addEventListener('securitypolicyviolation', (event) => console.log('violation', event.violatedDirective))";
    await page.addInitScript({ content: listen });
    const opened = new WidgetPage(page);
    await page.goto(url);
    await opened.launcher.waitFor();
    return opened;
  }

  get launcher() {
    return this.page.locator('.launcher');
  }

  get panel() {
    return this.page.locator('dialog.panel');
  }

  get text() {
    return this.panel.locator('textarea');
  }

  /** The stored messages, without pending ones. */
  get messages() {
    return this.panel.locator('.messages > [data-id]');
  }

  get replies() {
    return this.panel.locator('.messages > .agent[data-id]');
  }

  get status() {
    return this.panel.locator('.status');
  }

  get notice() {
    return this.panel.locator('.notice').first();
  }

  async openPanel(): Promise<void> {
    await this.launcher.click();
    await this.panel.waitFor();
  }

  async write(text: string): Promise<void> {
    await this.text.fill(text);
    await this.text.press('Enter');
  }

  /** Sends a message, and waits for the agent's reply. */
  async ask(text: string): Promise<string> {
    const count = await this.replies.count();
    await this.write(text);
    await this.replies.nth(count).waitFor();
    return (await this.replies.nth(count).locator('.bubble').textContent()) ?? '';
  }

  /** Waits until the locator's text matches. */
  async until(element: 'status' | 'notice', expected: RegExp): Promise<void> {
    const end = Date.now() + patienceMilliseconds;
    for (let text = ''; !expected.test(text); text = (await this[element].textContent()) ?? '') {
      if (Date.now() > end) throw new Error(`The ${element} is ${JSON.stringify(text)} and not ${expected}.`);
      await this.page.waitForTimeout(50);
    }
  }

  conversationId(): Promise<string> {
    return this.page.evaluate('JSON.parse(Object.values(localStorage)[0]).session.conversationId');
  }

  /** The rules of WCAG 2.2 AA that can be checked automatically. */
  async requireAccessible(): Promise<void> {
    await this.page.evaluate(axe.source);
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const options = JSON.stringify({ runOnly: tags });
    const { violations }: AxeResult = await this.page.evaluate(
      `axe.run({ include: ['[data-workspace-chat]'] }, ${options})`,
    );
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    assert.deepEqual(found, []);
  }

  async requireFitting(): Promise<void> {
    const element = 'document.documentElement';
    const scrolls = await this.page.evaluate(`${element}.scrollWidth > ${element}.clientWidth`);
    assert.equal(scrolls, false, 'The page does not fit.');
    const log = await this.panel.locator('.log').evaluate((it) => it.scrollWidth > it.clientWidth);
    assert.equal(log, false, 'The messages do not fit.');
  }
}
