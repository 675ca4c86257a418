import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
  type Response,
} from 'playwright-core';
import { WorkspaceClient } from '#lib/client/client.ts';
import { LocalService } from '#test/support/processes.ts';
import { eventually } from '../eventually.ts';
import { managerKey, people, writeOtherWorkspace, writeWorkspace } from './workspace.ts';

type BrowserVariant = Pick<BrowserContextOptions, 'locale' | 'colorScheme' | 'viewport' | 'hasTouch'>;

export type Person = keyof typeof people;

/** A screen of the console in the matrix. */
export interface Screen {
  readonly name: string;
  /** The fragment of its address, after `#`. */
  readonly address: string;
  /** Brings the screen into a state, such as an open dialog. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** A task of a user from start to end. */
export interface Story {
  readonly name: string;
  readonly run: (room: Room) => Promise<void>;
}

/** The exports of an area's file in this folder. */
export interface Part {
  readonly screens: readonly Screen[];
  readonly stories: readonly Story[];
}

/** The requests of each page without a response. */
const underWay = new WeakMap<Page, Set<Request>>();
const restMillisecondsMax = 60_000;
/** The time limit for one step of a story, on a busy machine. */
const stepMillisecondsMax = 60_000;

/** A service with the demo, a browser with signed-in people, and the errors of their pages. */
export class Room {
  readonly url: string;
  /** Creates and reads records of the demo. */
  readonly client: WorkspaceClient;
  readonly #service: LocalService;
  readonly #program: string;
  readonly #complaints = new Map<BrowserContext, string[]>();
  readonly #states = new Map<Person, Awaited<ReturnType<BrowserContext['storageState']>>>();
  #browser: Browser;

  private constructor(service: LocalService, program: string, browser: Browser) {
    this.url = service.url;
    this.#service = service;
    this.#program = program;
    this.#browser = browser;
    this.client = new WorkspaceClient({ baseUrl: service.url, apiKey: managerKey });
  }

  /** @param program the browser's file */
  static async open(program: string): Promise<Room> {
    const folder = await mkdtemp(join(tmpdir(), 'verify-console-'));
    const [file, otherFile] = ['workspace.json', 'other.json'].map((name) => join(folder, name)) as [string, string];
    try {
      await Promise.all([writeWorkspace(file), writeOtherWorkspace(otherFile)]);
      const service = await LocalService.start('--workspace', file, '--workspace', otherFile);
      return new Room(service, program, await launch(program));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async close(): Promise<void> {
    await this.#browser.close().catch(() => {});
    await this.#service.stop();
  }

  /** Starts a new browser without sessions, for the same service. */
  async renewBrowser(): Promise<void> {
    await this.#browser.close().catch(() => {});
    this.#states.clear();
    this.#complaints.clear();
    this.#browser = await launch(this.#program);
  }

  /** Removes the errors that a story expects. */
  forgive(expected: RegExp): void {
    for (const [context, complaints] of this.#complaints)
      this.#complaints.set(
        context,
        complaints.filter((complaint) => !expected.test(complaint)),
      );
  }

  /** @throws with the errors of all pages, or of one window, since the last call */
  requireNoComplaints(of?: BrowserContext): void {
    const contexts = of ? [of] : [...this.#complaints.keys()];
    const complaints = contexts.flatMap((context) => this.#complaints.get(context)?.splice(0) ?? []);
    if (complaints.length > 0) throw new Error(`The page complained:\n${[...new Set(complaints)].join('\n')}`);
  }

  /** A new window without a session. */
  window = (look: BrowserVariant = {}): Promise<BrowserContext> => this.#open(look);

  /** A window with a signed-in person. */
  async windowOf(person: Person, look: BrowserVariant = {}): Promise<BrowserContext> {
    const storageState = this.#states.get(person) ?? (await this.#signIn(person));
    return this.#open({ ...look, storageState });
  }

  async #open(options: BrowserContextOptions): Promise<BrowserContext> {
    const viewport = { width: 1280, height: 850 };
    const context = await this.#browser.newContext({ locale: 'en-US', viewport, ...options });
    context.setDefaultTimeout(stepMillisecondsMax);
    this.#listen(context);
    return context;
  }

  /** A page of a signed-in person at an address of the console. */
  async visit(address: string, person: Person = 'manager', look: BrowserVariant = {}): Promise<Page> {
    const page = await (await this.windowOf(person, look)).newPage();
    await this.go(page, address);
    return page;
  }

  async go(page: Page, address: string): Promise<void> {
    await page.goto(`${this.url}/console#${address}`);
    await settled(page);
  }

  /** Signs in as a person does: by the link, and at the identity provider. */
  async signIn(page: Page, person: Person): Promise<void> {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: people[person] }).click();
    await page.waitForURL((address) => address.href.startsWith(`${this.url}/console`));
    await settled(page);
  }

  async #signIn(person: Person) {
    const context = await this.window();
    const page = await context.newPage();
    await page.goto(`${this.url}/console`);
    await this.signIn(page, person);
    // A person with several workspaces and no last one chooses.
    const open = page.getByRole('button', { name: /^Open / });
    if ((await open.count()) > 0) await open.first().click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    const state = await context.storageState();
    this.#states.set(person, state);
    await context.close();
    return state;
  }

  /** Records errors of a page and of its policy, and requests to other origins. */
  #listen(context: BrowserContext): void {
    this.#complaints.set(context, []);
    const complain = (text: string) => this.#complaints.get(context)?.push(text);
    const isExpected = (text: string) => /status of (401|403|404|409|412|400) /.test(text);
    context.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.text())) complain(message.text());
    });
    context.on('weberror', (error) => complain(String(error.error().stack)));
    context.on('page', (page) => {
      const requests = new Set<Request>();
      underWay.set(page, requests);
      page.on('request', (request) => requests.add(request));
      for (const end of ['requestfinished', 'requestfailed'] as const)
        page.on(end as 'requestfinished', (request) => requests.delete(request));
    });
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      // The bucket and the identity provider of the local run have other ports.
      if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') complain(`It asked ${request.url()}`);
    });
  }
}

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/**
 * Waits until the screen is complete. A list keeps its former rows during a read, so the pending requests of the page
 * count, too.
 */
export async function settled(page: Page): Promise<void> {
  await page.locator('main').first().waitFor();
  const givesUpAt = Date.now() + restMillisecondsMax;
  // The page's policy forbids `waitForFunction`, which uses `eval`.
  for (let quiet = 0; quiet < 2; ) {
    await page.waitForTimeout(30);
    // On a slow machine, the page still has to render the response.
    await page.evaluate('new Promise((done) => requestIdleCallback(() => done(), { timeout: 5_000 }))');
    const isBusy = (underWay.get(page)?.size ?? 0) > 0 || (await page.locator('.spinner').count()) > 0;
    quiet = isBusy ? 0 : quiet + 1;
    if (Date.now() > givesUpAt) throw new Error('The page does not come to rest.');
  }
}

/** The unsent texts that the browser keeps, as JSON. */
export const draftsOf = (page: Page): Promise<string> =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('console', 1);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').getAll();
      reading.onsuccess = () => resolve(JSON.stringify(reading.result));
    };
  })`);

/** Waits until the browser has stored an unsent text, shortly after it was typed. */
export const waitForDraft = (page: Page, text: string): Promise<void> =>
  eventually(async () => (await draftsOf(page)).includes(text), true);

/** Presses Save, and waits until the record is stored. The notice alone may be of an earlier Save. */
export async function save(page: Page): Promise<void> {
  const isWritten = (response: Response) => ['PATCH', 'PUT'].includes(response.request().method()) && response.ok();
  await Promise.all([page.waitForResponse(isWritten), page.getByRole('button', { name: 'Save', exact: true }).click()]);
  await page.getByText('Saved.').first().waitFor();
}
