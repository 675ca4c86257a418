import { afterAll, beforeAll } from '@jest/globals';
import { Containers } from './containers.ts';

/**
 * Starts another container, until the tests of the file have ended. Call it before a proxy takes the place of the table.
 * In this process an update would wait for one of the same record that is under way.
 * @param key of the caller
 * @param paths of entries that it publishes first. So it is warm, and an update ends before a call of the table times out
 * @returns a function that updates values of an entry
 */
export async function startOtherContainer(key: string, paths: readonly string[]) {
  const containers = await Containers.start(1);
  const update = async (path: string, values: object): Promise<void> => {
    const { status, text } = await containers.at(0).call(`PATCH ${path}`, { key, body: { values } });
    if (status !== 200) throw new Error(`PATCH ${path} was answered ${status}: ${text}`);
  };
  beforeAll(async () => {
    for (const path of paths) await update(path, { published: true });
  });
  afterAll(() => containers[Symbol.asyncDispose]());
  return update;
}
