import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildClient } from '#lib/client-package/build-client.ts';
import { LocalService } from '#test/support/processes.ts';

const project = resolve(import.meta.dirname, '../..');
const start = promisify(execFile);

/** A separate project with only the client installed. */
let elsewhere: string;
beforeAll(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'client-package-'));
  await mkdir(join(elsewhere, 'node_modules'));
  await buildClient(join(elsewhere, 'node_modules/workspace-api-client'));
  await writeFile(join(elsewhere, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(elsewhere, { recursive: true }));

/**
 * Type-checks a file of that project with the types of the package and of these packages.
 * @throws with the errors of the compiler
 */
async function compile(name: string, text: string, types = ''): Promise<void> {
  await writeFile(join(elsewhere, name), text);
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--lib', 'esnext,dom'];
  const typeRoots = join(project, 'node_modules/@types');
  const more = ['--types', types, '--typeRoots', typeRoots, '--allowImportingTsExtensions', '--ignoreConfig'];
  await start(join(project, 'node_modules/.bin/tsc'), [...options, ...more, name], { cwd: elsewhere }).catch(
    (error) => {
      throw new Error(error.stdout);
    },
  );
}

const program = `
import { ApiError, WorkspaceClient } from 'workspace-api-client';

const client = new WorkspaceClient({ baseUrl: process.argv[2], apiKey: 'saffron-site-key-0000000000' });
const { data } = await client.listProducts({ search: 'lamb', limit: 1 });
const names = [];
for await (const { id } of client.allEntries('chefs', { fields: 'id' })) names.push(id);
const error = await client.submitForm('contact', {}).catch((reason) => reason);
console.log(JSON.stringify([data.length, names.length, error instanceof ApiError && error.code]));
`;

describe('the package of the client', () => {
  it('is used by another project, in plain JavaScript', async () => {
    const service = await LocalService.start();
    try {
      await writeFile(join(elsewhere, 'program.js'), program);
      const { stdout } = await start(process.execPath, ['program.js', service.url], { cwd: elsewhere });
      expect(JSON.parse(stdout)).toEqual([1, 7, 'validation_failed']);
    } finally {
      await service.stop();
    }
  });

  it('has types that need no other package', async () => {
    await compile(
      'use.ts',
      `import { type Product, WorkspaceClient } from 'workspace-api-client';
       interface Own { readonly chefs: { readonly id: string; readonly name: string } }
       const client = new WorkspaceClient<Own>({ baseUrl: 'http://127.0.0.1', apiKey: 'k' });
       export const price = async (): Promise<number | undefined> => {
         const [product]: Product[] = (await client.listProducts({ sortBy: 'name' })).data;
         return product?.priceOptions[0]?.price;
       };
       export const name = async (): Promise<string> => (await client.getEntry('chefs', 'a')).entry.name;
       // @ts-expect-error: this sort field does not exist.
       export const wrong = () => client.listProducts({ sortBy: 'colour' });
       export const stored = async (): Promise<boolean> => {
         const { data } = await client.manage.menuProducts.list({ categoryId: 'cat_1', soldout: true });
         const { record } = await client.manage.customers.create({ externalId: 'crm-1', name: null });
         return data[0]?.soldoutUntil === null && record.phone === null;
       };
       // @ts-expect-error: a category has no price.
       export const priced = () => client.manage.menuCategories.create({ slug: 'a', name: { en: 'A' }, price: 1 });
       // @ts-expect-error: there is no such kind.
       export const unknown = () => client.manage.menus;`,
    );
  });

  it('has the types that the declarations have', async () => {
    const names =
      'Product ProductPage Category CategoryPage Form UploadedFile Entry ReplyEvent ListEntriesParameters EntryParameters ListProductsParameters ListCategoriesParameters ReplyQuestion'.split(
        ' ',
      );
    const checks = names.map((name) => `export const ${name}: [Same<Packed.${name}, Source.${name}>] = [true];`);
    await compile(
      'same.ts',
      `import type * as Packed from 'workspace-api-client';
       import type * as Source from '${join(project, 'lib/client/types.ts')}';
       type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'the declarations say more') : 'the package says more';
       ${checks.join('\n')}
       type Read<Kinds> = { [Kind in keyof Kinds]: Omit<Kinds[Kind], 'input'> };
       export const kinds: [Same<Read<Packed.ManagedRecords>, Read<Source.ManagedRecords>>] = [true];
       type Written<Kinds extends { [Kind in keyof Kinds]: { readonly input: unknown } }> = { [Kind in keyof Kinds]: Kinds[Kind]['input'] };
       export const bodies = (body: Written<Source.ManagedRecords>): Written<Packed.ManagedRecords> => body;`,
      // The source is read with its imports.
      'node',
    );
  });

  it('depends on nothing', async () => {
    const folder = join(elsewhere, 'node_modules/workspace-api-client');
    const { dependencies, exports } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect([dependencies, Object.keys(exports)]).toEqual([undefined, ['.']]);
    expect(await readFile(join(folder, 'index.js'), 'utf8')).not.toMatch(/\bfrom ["']|\bimport\(/);
  });
});
