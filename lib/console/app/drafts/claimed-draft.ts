import { type Draft, readDraft, readDrafts } from './draft-store.ts';

/** The storage key of one form's draft. No other form in any tab has claimed it. */
export interface Claim {
  readonly key: string;
  /** The draft that an earlier form left under this key. */
  readonly draft: Draft | undefined;
  /** Drafts of the same screen that no form has claimed. */
  readonly others: readonly Draft[];
  readonly release: () => void;
}

/** The time that the previous page of this tab may need to end after a reload. */
const reloadMilliseconds = 500;

/**
 * Claims the draft that this tab had before a reload. Without one, it claims the newest unclaimed draft, e.g. after a
 * crash, or a new key.
 * @param screen the draft's key without the id of the form
 */
export async function claimDraft(screen: string): Promise<Claim> {
  const ownKey = sessionStorage.getItem(storageKey(screen));
  const drafts = await readDrafts(screen);
  const isOwn = ({ key }: Draft) => key === ownKey;
  for (const { key } of [...drafts.filter(isOwn), ...drafts.filter((draft) => !isOwn(draft))]) {
    const claim = await claimKey(screen, key, key === ownKey ? reloadMilliseconds : 0);
    if (claim) return claim;
  }
  return claimNew(screen, []);
}

/** A key that no form had before. @param others drafts of the same screen that no form holds */
export function claimNew(screen: string, others: readonly Draft[]): Claim {
  const key = `${screen}#${crypto.randomUUID()}`;
  const held = lock(key, 0);
  return remembered(screen, { key, draft: undefined, others, release: () => void held.then((release) => release?.()) });
}

/** @returns undefined if another form has claimed or deleted the draft */
export async function claimKey(screen: string, key: string, patience = 0): Promise<Claim | undefined> {
  const release = await lock(key, patience);
  const draft = release && (await readDraft(key));
  if (!draft) {
    release?.();
    return undefined;
  }
  return remembered(screen, { key, draft, others: await unclaimed(screen, key), release });
}

function remembered(screen: string, claim: Claim): Claim {
  sessionStorage.setItem(storageKey(screen), claim.key);
  return claim;
}

/** @param except the key that was just claimed */
async function unclaimed(screen: string, except: string): Promise<Draft[]> {
  const held = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name));
  return (await readDrafts(screen)).filter(({ key }) => key !== except && !held.has(lockName(key)));
}

const storageKey = (screen: string): string => `draft ${screen}`;
const lockName = storageKey;
const nothing = () => undefined;

/**
 * Holds a lock of the browser, which a crash releases, too.
 * @param patience milliseconds to wait for it
 * @returns a function that releases it; undefined if another form holds the lock
 */
function lock(key: string, patience: number): Promise<(() => void) | undefined> {
  // Browsers without locks share drafts between tabs.
  if (!navigator.locks) return Promise.resolve(nothing);
  const options = patience === 0 ? { ifAvailable: true } : { signal: AbortSignal.timeout(patience) };
  return new Promise((resolve) => {
    const hold = (granted: Lock | null) =>
      granted ? new Promise<void>((release) => resolve(() => release())) : resolve(undefined);
    navigator.locks.request(lockName(key), options, hold).catch(() => resolve(undefined));
  });
}
