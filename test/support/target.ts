/** A service that holds the demo workspace: one that is deployed, or the one that all files of a test run share. */
export interface Target {
  readonly url: string;
  /** Secrets of the demo's keys, or of others that may do the same. */
  readonly keys: { readonly site: string; readonly editor: string; readonly desk: string };
}

/**
 * With `API_URL` in the environment the stories are told to that service, with `API_KEY_SITE`, `API_KEY_EDITOR` and
 * `API_KEY_DESK` in place of the demo's keys if they are given; without it to the local service of the test run. Other
 * files use that at the same time, so that a story counts on nothing but what it has made itself.
 */
export async function openTarget(): Promise<Target> {
  const { API_URL, API_KEY_SITE, API_KEY_EDITOR, API_KEY_DESK } = process.env;
  const keys = {
    site: API_KEY_SITE ?? 'saffron-site-key-0000000000',
    editor: API_KEY_EDITOR ?? 'saffron-editor-key-00000000',
    desk: API_KEY_DESK ?? 'saffron-desk-key-0000000000',
  };
  return { url: API_URL?.replace(/\/$/, '') ?? (await sharedService()), keys };
}

/** The address of the local service with the demo that all files of the test run share. */
async function sharedService(): Promise<string> {
  const answer = await fetch(`${process.env['RUN_SERVER']}/service`, { method: 'POST' });
  const { url, failure } = (await answer.json()) as { url?: string; failure?: string };
  if (url === undefined) throw new Error(failure);
  return url;
}

/** True if the environment lists an ability in `API_WITHOUT`. Only an emulator lacks abilities. */
export const isWithout = (ability: string): boolean => (process.env['API_WITHOUT'] ?? '').split(',').includes(ability);
