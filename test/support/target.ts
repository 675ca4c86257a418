import { LocalService } from './processes.ts';

/** A service that holds the demo workspace: one that is deployed, or one on this machine. */
export interface Target {
  readonly url: string;
  /** Secrets of the demo's keys, or of others that may do the same. */
  readonly keys: { readonly site: string; readonly editor: string; readonly desk: string };
  /** Stops what was started for it. */
  stop(): Promise<unknown>;
}

/**
 * With `API_URL` in the environment the stories are told to that service, with `API_KEY_SITE`, `API_KEY_EDITOR` and
 * `API_KEY_DESK` in place of the demo's keys if they are given; without it to one that is started on this machine.
 */
export async function openTarget(): Promise<Target> {
  const { API_URL, API_KEY_SITE, API_KEY_EDITOR, API_KEY_DESK } = process.env;
  const keys = {
    site: API_KEY_SITE ?? 'saffron-site-key-0000000000',
    editor: API_KEY_EDITOR ?? 'saffron-editor-key-00000000',
    desk: API_KEY_DESK ?? 'saffron-desk-key-0000000000',
  };
  if (API_URL !== undefined) return { url: API_URL.replace(/\/$/, ''), keys, stop: async () => undefined };
  const service = await LocalService.start();
  return { url: service.url, keys, stop: () => service.stop() };
}

/** Whether the environment says, in `API_WITHOUT`, that the service cannot do this; only an emulator cannot. */
export const isWithout = (ability: string): boolean => (process.env['API_WITHOUT'] ?? '').split(',').includes(ability);
