/** A service with the demo workspace: a deployed one, or the one that all files of a test run share. */
export interface Target {
  readonly url: string;
  /** Secrets of the demo's keys, or of others with the same permissions. */
  readonly keys: { readonly site: string; readonly editor: string; readonly desk: string };
}

/**
 * With `API_URL` in the environment, the stories use that service. `API_KEY_SITE`, `API_KEY_EDITOR` and `API_KEY_DESK`
 * then replace the demo's keys. Otherwise they use the local service of the test run. Other files use that at the same
 * time, so a story relies only on its own data.
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

/** True if the environment lists the feature in `API_WITHOUT`. Only an emulator lacks features. */
export const lacksFeature = (ability: string): boolean =>
  (process.env['API_WITHOUT'] ?? '').split(',').includes(ability);
