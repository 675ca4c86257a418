import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Engines, runCommandLine } from '#test/support/command-line.ts';
import { openDemo } from '#test/support/demo-workspace.ts';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let service: Engines;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workspace-types-'));
  await openDemo();
  service = await Engines.open();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const types = (workspaceId: string) => runCommandLine(['types', '--workspace', workspaceId, '--url', service.url]);

describe('npm run workspace -- types', () => {
  it('prints types for the client that the compiler checks a program against', async () => {
    const { code, out } = await types('ws_saffron');
    expect(code).toBe(0);
    await writeFile(join(folder, 'databases.ts'), out);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const program = (use: string) => `
      import { WorkspaceClient } from '${root}/lib/client/client.ts';
      import type { Databases } from './databases.ts';
      const client = new WorkspaceClient<Databases>({ baseUrl: 'http://127.0.0.1', apiKey: '' });
      const { entries } = await client.listEntries('chefs');
      ${use}`;
    await writeFile(
      join(folder, 'right.ts'),
      program('export const name: string | undefined = entries[0]?.name?.["en"];'),
    );
    await writeFile(join(folder, 'wrong.ts'), program('export const name = entries[0]?.nope;'));
    await writeFile(join(folder, 'other.ts'), program("await client.listEntries('cooks');"));
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: `${root}/tsconfig.json`,
        compilerOptions: { typeRoots: [`${root}/node_modules/@types`] },
        include: ['*.ts'],
      }),
    );
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    // Not `spawnSync`: a blocked event loop would close the idle connection during the next command.
    const compile = promisify(execFile)(process.execPath, [compiler, '-p', folder, '--pretty', 'false']);
    const { stdout } = await compile.catch((error: { readonly stdout: string }) => error);
    const faulty = [...stdout.matchAll(/^(?:.*\/)?(\w+\.ts)\(/gm)].map(([, file]) => file);
    expect(new Set(faulty)).toEqual(new Set(['wrong.ts', 'other.ts']));
  });

  it('reports an unknown workspace', async () => {
    const { code, out, errors } = await types('ws_nothing');
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain('There is no workspace ws_nothing.');
  });
});
