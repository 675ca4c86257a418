import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser in the environment variable `CHROMIUM`, or else the first installed one. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const installed = folders.flatMap((folder) => programs.map((program) => join(folder, program)));
  return [process.env['CHROMIUM'] ?? '', ...installed].find((file) => file !== '' && existsSync(file));
}

// biome-ignore lint/suspicious/noExplicitAny: each script knows the shape of its result.
type Value = any;

/** One page of a headless browser, controlled over its debugging protocol. */
export class Page {
  readonly #browser: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Value) => void>();
  /** The errors and warnings of the page. */
  readonly complaints: string[] = [];

  private constructor(browser: ChildProcess, profile: string, socket: WebSocket) {
    this.#browser = browser;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#read(JSON.parse(String(data))));
  }

  /** @param size of the window, in pixels; a narrow window has the size of a phone */
  static async open(program: string, url: string, size?: { readonly width: number; readonly height: number }) {
    const profile = await mkdtemp(join(tmpdir(), 'browser-'));
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
    const where = ['--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'];
    const browser = spawn(program, [...options, ...where], { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(await pageAddress(browser));
    await once(socket, 'open');
    const page = new Page(browser, profile, socket);
    for (const domain of ['Page', 'Runtime', 'Log']) await page.#send(`${domain}.enable`);
    const metrics = size && { ...size, deviceScaleFactor: 1, mobile: size.width < 600 };
    if (metrics) await page.#send('Emulation.setDeviceMetricsOverride', metrics);
    await page.#send('Page.navigate', { url });
    return page;
  }

  /** Evaluates an expression, which may be a promise. */
  async ask(expression: string): Promise<Value> {
    const options = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', options);
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression: string, milliseconds = 20_000): Promise<void> {
    for (const end = Date.now() + milliseconds; !(await this.ask(expression).catch(() => false)); ) {
      if (Date.now() > end) throw new Error(`This did not become true: ${expression}`);
      await pause(50);
    }
  }

  /** Types text into the focused element, as a keyboard does. */
  async type(text: string): Promise<void> {
    await this.#send('Input.insertText', { text });
  }

  async pressEnter(): Promise<void> {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' };
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }

  async picture(): Promise<Buffer> {
    return Buffer.from((await this.#send('Page.captureScreenshot')).data, 'base64');
  }

  async close(): Promise<void> {
    const closed = once(this.#browser, 'close');
    this.#socket.close();
    this.#browser.kill();
    await closed;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #send(method: string, params: object = {}): Promise<Value> {
    const id = this.#waiting.size + 1;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result)));
    });
  }

  #read({ id, method, params, ...answer }: Value): void {
    if (id !== undefined) this.#waiting.get(id)?.(answer);
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params.exceptionDetails));
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.complaints.push(params.entry.text);
  }
}

/** The address of the browser's only page. */
async function pageAddress(browser: ChildProcess): Promise<string> {
  let said = '';
  for await (const piece of browser.stderr?.setEncoding('utf8') ?? []) {
    said += piece;
    const host = /^DevTools listening on ws:\/\/([^/]+)/m.exec(said)?.[1];
    if (host === undefined) continue;
    browser.stderr?.resume();
    const targets: Value[] = (await (await fetch(`http://${host}/json/list`)).json()) as Value[];
    return targets.find(({ type }) => type === 'page').webSocketDebuggerUrl;
  }
  throw new Error(`The browser has ended: ${said}`);
}
