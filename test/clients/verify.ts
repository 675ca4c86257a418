import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Permission } from '#lib/domain/access/permission.ts';
import type { OpenApiDocument } from '#lib/openapi/document.ts';
import { LocalService, runWorkspace } from '#test/support/processes.ts';
import { indented, retried, run } from '#test/support/run.ts';
import { step, verifyWithPython } from '#test/support/verification.ts';
import { plannedCalls, type Records } from './planned-calls.ts';

// Reads /openapi.json of the local run with public tools: Redocly's linter, openapi-typescript and
// openapi-python-client. The generated Python client calls every operation.

const here = fileURLToPath(new URL('.', import.meta.url));

process.exitCode = await verifyWithPython({
  tools: 'openapi-python-client',
  async verify(folder, programs) {
    const service = await step('start the service', () => LocalService.start());
    try {
      const file = join(folder, 'openapi.json');
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
      await writeFile(file, JSON.stringify(document));
      await step('lint, and make types for TypeScript', () => readWithNode(folder, file));
      await step('make a client for Python', () => generate(folder, programs, file));
      await step('call every operation', () => callAll({ folder, programs, url: service.url, document }));
    } finally {
      await service.stop();
    }
  },
});

/** These packages need another version of TypeScript, so they have a separate package.json. */
async function readWithNode(folder: string, file: string): Promise<void> {
  const tools = join(folder, 'tools');
  await mkdir(tools);
  for (const name of ['package.json', 'package-lock.json']) {
    await writeFile(join(tools, name), await readFile(join(here, 'tools', name)));
  }
  await retried(() => run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tools }));
  const program = (name: string) => join(tools, 'node_modules/.bin', name);
  const isShown = true;
  await run(program('redocly'), ['lint', '--extends=recommended', file], { cwd: folder, isShown });
  await run(program('openapi-typescript'), [file, '-o', join(folder, 'types.d.ts')], { cwd: folder, isShown });
  await run(program('tsc'), ['--noEmit', '--strict', join(folder, 'types.d.ts')], { cwd: folder, isShown });
}

async function generate(folder: string, programs: string, file: string): Promise<void> {
  const output = join(folder, 'generated');
  const made = await run(
    join(programs, 'openapi-python-client'),
    ['generate', '--path', file, '--meta', 'none', '--output-path', output, '--fail-on-warning'],
    { cwd: folder, env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` } },
  );
  console.log(indented(made));
}

interface Calls {
  readonly folder: string;
  readonly programs: string;
  readonly url: string;
  readonly document: OpenApiDocument;
}

async function callAll({ folder, programs, url, document }: Calls): Promise<void> {
  const plan = join(folder, 'plan.json');
  await writeFile(plan, JSON.stringify(await plannedCalls(document, await demoRecords())));
  const keys = [await newKey(url), await newKey(url, 'mem_lina')];
  await run(join(programs, 'python'), [join(here, 'call.py'), 'generated', url, plan, ...keys], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' },
    isShown: true,
  });
}

/** The first record of each kind in the demo's document. */
async function demoRecords(): Promise<Records> {
  const demo = JSON.parse(await readFile(join(here, '../../lib/local/demo-workspace.json'), 'utf8'));
  return {
    members: demo.members[0],
    'cms-models': demo.cms.models[0],
    'cms-entries': demo.cms.entries[0],
    'menu-categories': demo.menu.categories[0],
    'menu-products': demo.menu.products[0],
    forms: demo.forms[0],
    agents: demo.messaging.agents[0],
    channels: demo.messaging.channels[0],
    customers: demo.messaging.customers[0],
  };
}

/** A key of the demo with all permissions. It may belong to a member. */
async function newKey(url: string, memberId?: string): Promise<string> {
  const permissions = Permission.options.flatMap((permission) => ['--permission', permission]);
  const { code, out, errors } = await runWorkspace([
    'key',
    'create',
    '--workspace',
    'ws_saffron',
    '--name',
    'Generated client',
    '--url',
    url,
    ...permissions,
    ...(memberId === undefined ? [] : ['--member', memberId]),
  ]);
  const secret = /\bwsk_[0-9A-Za-z]{40,}/.exec(out)?.[0];
  if (code !== 0 || secret === undefined) throw new Error(errors || out);
  return secret;
}
