import { useSyncExternalStore } from 'react';

/** Resolves to true if the screen may be left. */
type Guard = () => Promise<boolean>;

/** One for each form with unsaved work. */
const guards = new Set<Guard>();
const returnKey = 'console.return';
let current = firstScreen();
const listeners = new Set<() => void>();

function readHash(): string {
  const hash = window.location.hash.replace(/^#/, '');
  return hash.startsWith('/') ? hash : `/${hash}`;
}

/** The identity provider redirects to the page without a screen, so the remembered screen is used. */
function firstScreen(): string {
  const remembered = sessionStorage.getItem(returnKey);
  if (readHash() !== '/' || remembered === null) return readHash();
  sessionStorage.removeItem(returnKey);
  history.replaceState(null, '', `#${remembered}`);
  return remembered;
}

function arrive(): void {
  current = readHash();
  for (const listener of listeners) listener();
}

window.addEventListener('hashchange', () => {
  if (readHash() === current) return;
  if (guards.size === 0) {
    arrive();
    return;
  }
  // The browser has already changed the URL, e.g. by its back button. Restore it, ask, and leave after a confirmation.
  const wanted = readHash();
  history.pushState(null, '', `#${current}`);
  void mayLeave().then((isFree) => isFree && go(wanted));
});

function go(to: string, replace = false): void {
  guards.clear();
  if (replace) history.replaceState(null, '', `#${to}`);
  else history.pushState(null, '', `#${to}`);
  arrive();
  window.scrollTo(0, 0);
}

/** Asks about unsaved changes. @returns whether the screen may be left */
export async function mayLeave(): Promise<boolean> {
  for (const ask of guards) if (!(await ask())) return false;
  return true;
}

interface NavigationOptions {
  /** The screen that is left is no longer in the history. */
  readonly replace?: boolean;
  /** True if the screen has just stored or deleted its record, so no question is needed. */
  readonly isDone?: boolean;
}

/** Opens another screen of the console. It first asks about unsaved changes. */
export function navigate(to: string, { replace = false, isDone = false }: NavigationOptions = {}): void {
  if (to === current) return;
  if (isDone || guards.size === 0) go(to, replace);
  else void mayLeave().then((isFree) => isFree && go(to, replace));
}

/** Sets the question before the screen is left. @returns a function that removes it */
export function guardLeaving(ask: Guard): () => void {
  guards.add(ask);
  return () => {
    guards.delete(ask);
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const path = (): string => current.split('?')[0] ?? current;

/** The path within the console, for wouter's router. */
export const useHash = (): [string, typeof navigate] => [useSyncExternalStore(subscribe, path), navigate];

/** The `href` of a link to a screen, which also opens in a new tab. */
export const addressOf = (screen: string): string => `#${screen}`;

/** The parameters after `?` in the URL, such as filters of a list. They survive a reload. */
export function useSearch(): [URLSearchParams, (changes: Readonly<Record<string, string | null>>) => void] {
  const whole = useSyncExternalStore(subscribe, () => current);
  const search = new URLSearchParams(whole.split('?')[1] ?? '');
  const change = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(current.split('?')[1] ?? '');
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    history.replaceState(null, '', `#${path()}${text === '' ? '' : `?${text}`}`);
    arrive();
  };
  return [search, change];
}

/** Remembers the screen, so that a sign-in returns to it. */
export function rememberScreen(): void {
  if (!current.startsWith('/sign-in')) sessionStorage.setItem(returnKey, current);
}
