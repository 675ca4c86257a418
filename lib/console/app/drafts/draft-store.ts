/** Unsaved text. */
export interface Draft {
  /** Workspace, member and screen, joined by `/`. The key of a form ends with `#` and the form's id. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly value: unknown;
}

export const keptMilliseconds = 7 * 24 * 60 * 60 * 1_000;

const storeName = 'drafts';

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('console', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: 'key' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, mode, { durability: 'strict' });
    const request = work(transaction.objectStore(storeName));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
    transaction.onerror = () => reject(transaction.error);
  });
}

/** Browsers without storage, such as some private windows, have no drafts. */
const orNothing = () => undefined;

export const writeDraft = (key: string, value: unknown): Promise<unknown> =>
  run('readwrite', (store) => store.put({ key, value, savedAt: Date.now() } satisfies Draft)).catch(orNothing);

/** @returns undefined without a draft, or if it is older than seven days */
export async function readDraft(key: string): Promise<Draft | undefined> {
  const draft = (await run('readonly', (store) => store.get(key)).catch(orNothing)) as Draft | undefined;
  return draft && Date.now() - draft.savedAt < keptMilliseconds ? draft : undefined;
}

/** The drafts of a screen, newest first. A screen that is open in several tabs has several. */
export async function readDrafts(screen: string): Promise<readonly Draft[]> {
  const range = IDBKeyRange.bound(`${screen}#`, `${screen}#\uffff`);
  const drafts = ((await run('readonly', (store) => store.getAll(range)).catch(orNothing)) ?? []) as Draft[];
  return drafts
    .filter(({ savedAt }) => Date.now() - savedAt < keptMilliseconds)
    .sort((draft, other) => other.savedAt - draft.savedAt);
}

export const dropDraft = (key: string): Promise<unknown> =>
  run('readwrite', (store) => store.delete(key)).catch(orNothing);

/** Removes drafts that are older than seven days. */
export async function dropOldDrafts(): Promise<void> {
  const drafts = ((await run('readonly', (store) => store.getAll()).catch(orNothing)) ?? []) as Draft[];
  for (const { key, savedAt } of drafts) if (Date.now() - savedAt >= keptMilliseconds) await dropDraft(key);
}

/** Removes all drafts when a person signs out. */
export const dropAllDrafts = (): Promise<unknown> => run('readwrite', (store) => store.clear()).catch(orNothing);
