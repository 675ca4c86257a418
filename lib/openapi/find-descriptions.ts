import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import type { Description } from './description.ts';

/** Loads the description files of all endpoints, by function name. Functions never load them. */
export async function findDescriptions(root = functionsFolder): Promise<ReadonlyMap<string, Description>> {
  const found = (await functionNames(root))
    .map((name) => ({ name, file: join(root, name, 'description.ts') }))
    .filter(({ file }) => existsSync(file));
  const modules = await Promise.all(
    found.map(async ({ name, file }): Promise<[string, Description]> => {
      const { description } = await import(pathToFileURL(file).href);
      if (!description) throw new Error(`functions/${name}/description.ts must export its \`description\`.`);
      return [name, description];
    }),
  );
  return new Map(modules);
}
