import { deepEqual } from 'node:assert/strict';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyWebhook } from '#lib/client/verify-webhook.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import type { OpenApiDocument } from '#lib/openapi/document.ts';
import { secretText, signatureHeaders } from '#lib/webhooks/signature.ts';
import { LocalService, runWorkspace } from '#test/support/processes.ts';
import { indented, retried, run } from '#test/support/run.ts';
import { installOnce, step, verifyWithPython } from '#test/support/verification.ts';
import { plannedCalls, type Records } from './planned-calls.ts';

// Reads /openapi.json of the local run with tools that others use: a linter, and generators of clients for TypeScript,
// Python and Go. Each client filters, sorts, sends a list and uploads. The Python client also calls every operation.
// Before, Python's library of Standard Webhooks and ours verify each other's signatures.

const here = fileURLToPath(new URL('.', import.meta.url));

/** What every client asks. */
const question = {
  modelId: 'offers',
  entries: {
    filter: { 'percent.gte': 12.5, 'percent.lt': 22 },
    sort: '-percent',
    fields: 'title',
    locale: 'ar',
    fallback: ['en', 'ar'],
  },
  categories: { ids: ['cat_grill', 'cat_drinks'], sortBy: 'name', sortOrder: 'desc' },
  files: [
    { name: 'one.txt', text: 'One' },
    { name: 'two.txt', text: 'اثنان' },
  ],
};

process.exitCode = await verifyWithPython({
  tools: 'openapi-python-client',
  async verify(folder, programs) {
    await step("compare signatures of webhooks with Python's library", () => requireSameSignatures(programs));
    const tools = await step('install tools from the package registry of npm', installNodeTools);
    const service = await step('start the service', () => LocalService.start());
    try {
      const { url } = service;
      const file = join(folder, 'openapi.json');
      const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
      await writeFile(file, JSON.stringify(document));
      const made = { folder, programs, file };
      const clients = await step('lint, and make clients', () =>
        Promise.all([makeNodeClients(made, tools), makePythonClient(made), makeGoClient(made), lint(made, tools)]),
      );
      const keys: [string, string] = [await newKey(url), await newKey(url, 'mem_lina')];
      await step('filter, sort, send lists and upload', async () => {
        for (const ask of clients) await requireAnswers(await ask(url, keys[1]), keys[1]);
      });
      await step('call every operation', () => callAll({ folder, programs, url, document, keys }));
    } finally {
      await service.stop();
    }
  },
});

interface Made {
  /** Where the clients are made. */
  readonly folder: string;
  /** The folder of Python's programs. */
  readonly programs: string;
  /** The description. */
  readonly file: string;
}

/** Asks the service, and returns what a client prints: answers by the name of the generator. */
type Ask = (url: string, key: string) => Promise<string>;

/** These packages need another version of TypeScript, so they have a separate package.json. */
function installNodeTools(): Promise<string> {
  return installOnce('npm/clients', join(here, 'tools/package-lock.json'), async (folder) => {
    await cp(join(here, 'tools'), folder, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  });
}

async function lint({ folder, file }: Made, tools: string): Promise<Ask> {
  const redocly = join(tools, 'node_modules/.bin/redocly');
  await run(redocly, ['lint', '--extends=recommended', file], { cwd: folder, isShown: true });
  return async () => '{}';
}

async function makeNodeClients({ folder, file }: Made, tools: string): Promise<Ask> {
  const made = join(folder, 'node');
  await mkdir(made);
  await symlink(join(tools, 'node_modules'), join(made, 'node_modules'));
  await cp(join(here, 'tools/ask.ts'), join(made, 'ask.ts'));
  const tool = (name: string, ...options: string[]) =>
    run(join(tools, 'node_modules/.bin', name), options, { cwd: made });
  await Promise.all([
    tool('openapi-typescript', file, '-o', 'openapi-fetch/schema.ts'),
    tool('openapi-ts', '-i', file, '-o', 'hey-api', '--no-log-file'),
    tool('orval', '--input', file, '--output', 'orval/client.ts', '--client', 'axios'),
    tool(
      'swagger-typescript-api',
      'generate',
      '-p',
      file,
      '-o',
      'swagger-typescript-api',
      '-n',
      'client.ts',
      '--axios',
    ),
  ]);
  const modules = ['--target', 'es2022', '--module', 'commonjs', '--moduleResolution', 'node10', '--esModuleInterop'];
  await tool('tsc', '--strict', '--skipLibCheck', ...modules, '--outDir', 'compiled', 'ask.ts');
  return (url, key) =>
    run(process.execPath, [join(made, 'compiled/ask.js'), url, key, JSON.stringify(question)], { cwd: made });
}

async function makePythonClient({ folder, programs, file }: Made): Promise<Ask> {
  const made = await run(
    join(programs, 'openapi-python-client'),
    ['generate', '--path', file, '--meta', 'none', '--output-path', join(folder, 'generated'), '--fail-on-warning'],
    { cwd: folder, env: { ...process.env, PATH: `${programs}:${process.env['PATH']}` } },
  );
  console.log(indented(made));
  return (url, key) =>
    run(join(programs, 'python'), [join(here, 'ask.py'), 'generated', url, key, JSON.stringify(question)], {
      cwd: folder,
      env: pythonEnvironment(folder),
    });
}

function pythonEnvironment(folder: string) {
  return { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
}

async function makeGoClient({ folder, file }: Made): Promise<Ask> {
  const hasGo = await run('go', ['version']).catch(() => undefined);
  if (hasGo === undefined) {
    console.log('Go is not installed, so the client of oapi-codegen is not made.');
    return async () => '{}';
  }
  const made = join(folder, 'go');
  await cp(join(here, 'go'), made, { recursive: true });
  const generate = [...'tool oapi-codegen -generate types,client -package main -o client.gen.go'.split(' '), file];
  await retried(() => run('go', ['mod', 'download'], { cwd: made }));
  await run('go', generate, { cwd: made });
  await run('go', ['build', '-o', 'client', '.'], { cwd: made });
  return (url, key) => run(join(made, 'client'), [url, key, JSON.stringify(question)]);
}

/** Their library verifies what we sign, with each secret, and we verify what it signs. */
async function requireSameSignatures(programs: string): Promise<void> {
  const keys = [crypto.getRandomValues(new Uint8Array(32)), crypto.getRandomValues(new Uint8Array(32))];
  const secrets = keys.map(secretText);
  const body = JSON.stringify({ type: 'menu_product.updated', data: { record: { name: { ar: 'جريش 🍲' } } } });
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = signatureHeaders({ id: 'evt_1', timestamp, body, secrets: keys });
  const asked = JSON.stringify({ secrets, headers, body });
  const answer = JSON.parse(await run(join(programs, 'python'), [join(here, 'webhooks.py'), asked]));
  deepEqual(answer.events, [JSON.parse(body), JSON.parse(body)]);
  deepEqual(await verifyWebhook(answer.headers, body, secrets), { ...JSON.parse(body), id: 'evt_python' });
}

interface Answer {
  readonly entries: readonly unknown[];
  readonly categories: readonly { readonly id: string }[];
  readonly files: readonly { readonly name: string; readonly url: string }[];
}

interface Offer {
  readonly id: string;
  readonly modelId: string;
  readonly values: { readonly percent: number; readonly title: { readonly ar: string } };
}

/** Compares the answers with the demo's document, and the files with what their addresses return. */
async function requireAnswers(printed: string, key: string): Promise<void> {
  const { cms } = await demo();
  const offers = (cms.entries as readonly Offer[])
    .filter(({ modelId, values }) => modelId === 'offers' && values.percent >= 12.5 && values.percent < 22)
    .sort((a, b) => b.values.percent - a.values.percent)
    .map(({ id, values }) => ({ id, title: values.title.ar }));
  for (const [generator, { entries, categories, files }] of Object.entries<Answer>(JSON.parse(printed))) {
    deepEqual([generator, entries], [generator, offers]);
    deepEqual([generator, ...categories.map(({ id }) => id)], [generator, 'cat_drinks', 'cat_grill']);
    const headers = { authorization: `Bearer ${key}` };
    const stored = await Promise.all(
      files.map(async ({ name, url }) => ({ name, text: await (await fetch(url, { headers })).text() })),
    );
    deepEqual([generator, stored], [generator, question.files]);
    console.log(
      indented(`${generator}: ${entries.length} entries, ${categories.length} categories, ${files.length} files`),
    );
  }
}

interface Calls {
  readonly folder: string;
  readonly programs: string;
  readonly url: string;
  readonly document: OpenApiDocument;
  readonly keys: readonly [string, string];
}

async function callAll({ folder, programs, url, document, keys }: Calls): Promise<void> {
  const plan = join(folder, 'plan.json');
  await writeFile(plan, JSON.stringify(await plannedCalls(document, await demoRecords())));
  await run(join(programs, 'python'), [join(here, 'call.py'), 'generated', url, plan, ...keys], {
    cwd: folder,
    env: pythonEnvironment(folder),
    isShown: true,
  });
}

/** The first record of each kind in the demo's document. */
async function demoRecords(): Promise<Records> {
  const { members, cms, menu, forms, messaging } = await demo();
  return {
    members: members[0],
    'cms-models': cms.models[0],
    'cms-entries': cms.entries[0],
    'menu-categories': menu.categories[0],
    'menu-products': menu.products[0],
    forms: forms[0],
    agents: messaging.agents[0],
    channels: messaging.channels[0],
    customers: messaging.customers[0],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the demo's document is JSON, whose members are known here.
async function demo(): Promise<any> {
  return JSON.parse(await readFile(join(here, '../../lib/local/demo-workspace.json'), 'utf8'));
}

/** A key of the demo with all permissions. It may belong to a member. */
async function newKey(url: string, memberId?: string): Promise<string> {
  const permissions = Permission.options.flatMap((permission) => ['--permission', permission]);
  const owner = ['--workspace', 'ws_saffron', ...(memberId === undefined ? [] : ['--member', memberId])];
  const command = ['key', 'create', ...owner, '--name', 'Generated client', '--url', url, ...permissions];
  const { code, out, errors } = await runWorkspace(command);
  const secret = /\bwsk_[0-9A-Za-z]{40,}/.exec(out)?.[0];
  if (code !== 0 || secret === undefined) throw new Error(errors || out);
  return secret;
}
