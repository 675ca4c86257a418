import { Chat } from '../chat/chat.ts';
import { Service } from '../chat/service.ts';
import { SessionKeeper } from '../chat/session-keeper.ts';
import { type Message, Store } from '../chat/store.ts';
import { Composer } from './composer.ts';
import { element, icon, setAttributes } from './elements.ts';
import { Language } from './language.ts';
import { MessageList } from './message-list.ts';
import { Panel } from './panel.ts';
import style from './widget.css';

/** The chat on a site's page. */
class Widget {
  readonly #language: Language;
  readonly #store: Store;
  readonly #service: Service;
  readonly #chat: Chat;
  readonly #launcher: Launcher;
  readonly #composer: Composer;
  readonly #panel: Panel;
  #isDrawing = false;

  /** @param base the address of the service, without a slash at the end */
  constructor(base: string, { session = '', language, visitor }: DOMStringMap) {
    this.#language = new Language(language ?? (document.documentElement.lang || 'en'));
    this.#store = new Store(storage(), new URL(session, document.baseURI).href);
    if (this.#store.read().visitor !== visitor) this.#store.change(() => (visitor === undefined ? {} : { visitor }));
    const keeper = new SessionKeeper(this.#store, session, oneAtATime(this.#store.key));
    this.#service = new Service(base, keeper);
    this.#chat = this.#newChat(keeper);
    this.#launcher = new Launcher(this.#language, () => this.#toggle());
    const list = new MessageList(this.#language, {
      earlier: () => void this.#chat.loadEarlier(),
      retryReply: () => this.#chat.retryReply(),
      readFile: (file) => this.#service.download(file),
    });
    this.#composer = this.#newComposer();
    this.#panel = new Panel(this.#language, list, this.#composer);
    this.#panel.element.addEventListener('close', () => this.#closed());
  }

  /** @param theme `light` or `dark`; by default that of the visitor's system */
  start(theme: string | undefined): void {
    const host = element('div', { 'data-workspace-chat': true });
    const root = host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    const { code, direction } = this.#language;
    const look = { lang: code, dir: direction, 'data-theme': theme };
    root.append(element('div', look, this.#launcher.element, this.#panel.element));
    document.body.append(host);
    this.#composer.restore(this.#store.read().draft ?? '');
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#chat.rest() : this.#chat.wake()));
    addEventListener('online', () => this.#chat.wake());
    this.#draw();
    this.#chat.resume();
  }

  #newChat(keeper: SessionKeeper): Chat {
    return new Chat({
      keeper,
      store: this.#store,
      service: this.#service,
      isHidden: () => document.hidden,
      events: {
        changed: () => this.#draw(),
        arrived: (messages) => this.#speak(messages),
        refused: ({ text }) => {
          this.#composer.restore(text);
          this.#panel.problem(this.#language.text('notTaken'));
        },
      },
    });
  }

  #newComposer(): Composer {
    return new Composer(this.#language, {
      send: (text, files) => this.#chat.send(text, files),
      draft: (draft) => this.#store.change((kept) => ({ ...kept, draft })),
      problem: (text) => this.#panel.problem(text),
    });
  }

  #toggle(): void {
    if (this.#panel.element.open) {
      this.#panel.element.close();
      return;
    }
    this.#chat.open();
    this.#panel.open();
    this.#draw();
  }

  #closed(): void {
    // The panel was closed to open in the other mode, beside the page or over it.
    if (this.#panel.element.open) return;
    this.#chat.close();
    this.#launcher.element.focus();
    this.#draw();
  }

  /** Draws one time for many simultaneous changes. */
  #draw(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    queueMicrotask(() => {
      this.#isDrawing = false;
      const { view } = this.#chat;
      this.#panel.show(view);
      this.#launcher.show(this.#panel.element.open, view.unread);
    });
  }

  #speak(messages: readonly Message[]): void {
    for (const { senderType, text, attachments } of messages) {
      const from = this.#language.text(senderType === 'agent' ? 'assistant' : 'team');
      this.#panel.speak([`${from}:`, text, ...attachments.map(({ name }) => name)].filter(Boolean).join(' '));
    }
  }
}

/** Some browsers throw on access to the storage. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Only one tab at a time renews the session. Without browser locks, the service accepts two renewals. */
const oneAtATime =
  (name: string) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!navigator.locks) return work();
    const done = await navigator.locks.request(name, async () => ({ result: await work() }));
    return done.result;
  };

/** The button at the edge of the page that opens the chat. */
class Launcher {
  readonly element: HTMLButtonElement;
  readonly #language: Language;
  readonly #count = element('span', { class: 'count', 'aria-hidden': 'true' });

  constructor(language: Language, toggle: () => void) {
    this.#language = language;
    const attributes = { 'aria-haspopup': 'dialog', 'aria-controls': 'panel' };
    this.element = element('button', { type: 'button', class: 'launcher', ...attributes }, icon('chat'), icon('close'));
    this.element.append(this.#count);
    this.element.addEventListener('click', toggle);
  }

  show(isOpen: boolean, unread: number): void {
    const count = isOpen ? 0 : unread;
    const label = this.#language.text(isOpen ? 'close' : count > 0 ? 'openUnread' : 'open', { count: `${count}` });
    this.#count.textContent = count > 9 ? '9+' : `${count || ''}`;
    setAttributes(this.element, { 'aria-expanded': String(isOpen), 'aria-label': label, title: label });
  }
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  if (!script.dataset['session']) console.error('The chat needs data-session, the address of your server.');
  else if (!document.querySelector('[data-workspace-chat]')) {
    const { dataset } = script;
    const widget = new Widget(new URL('.', script.src).href.slice(0, -1), dataset);
    widget.start(dataset['theme']);
  }
}
