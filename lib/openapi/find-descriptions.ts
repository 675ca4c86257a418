import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { functionNames, functionsFolder } from '#lib/endpoints.ts';
import type { Description } from './description.ts';

/** The descriptions of all endpoints, by function name. */
export async function findDescriptions(root = functionsFolder): Promise<ReadonlyMap<string, Description>> {
  const found = (await functionNames(root))
    .map((name) => ({ name, file: join(root, name, 'endpoint.ts') }))
    .filter(({ file }) => existsSync(file));
  const modules = await Promise.all(
    found.map(async ({ name, file }): Promise<[string, Description]> => {
      const { description } = await import(pathToFileURL(file).href);
      if (!description) throw new Error(`functions/${name}/endpoint.ts must export its \`description\`.`);
      return [name, description()];
    }),
  );
  return new Map(modules);
}
