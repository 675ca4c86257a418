import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WorkspaceClient } from '#lib/client/client.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import { runCommandLine } from '#test/support/command-line.ts';
import { everyKind, linaSecret, newWorkspaceId } from '#test/support/every-kind.ts';
import { LocalService } from '#test/support/processes.ts';
import { openTarget } from '#test/support/target.ts';

const workspaceId = newWorkspaceId();
const key = linaSecret(workspaceId);
let url: string;
let client: WorkspaceClient;
let folder: string;
let unordered: Server;

beforeAll(async () => {
  url = (await openTarget()).url;
  client = new WorkspaceClient({ baseUrl: url, apiKey: key });
  folder = await mkdtemp(join(tmpdir(), 'mirror-'));
  unordered = createServer(async (request, response) => {
    const headers = { authorization: request.headers.authorization ?? '' };
    const answer = await fetch(`${url}${request.url}`, { headers }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (!answer || text === undefined) return response.destroy();
    let body = text;
    if (request.url?.startsWith('/api/v1/events') && answer.ok) {
      // Each event twice, the newest first.
      const { data, ...page } = JSON.parse(body);
      body = JSON.stringify({ ...page, data: [...data.toReversed(), ...data] });
    }
    response.writeHead(answer.status).end(body);
  });
  await once(unordered.listen(0, '127.0.0.1'), 'listening');
  expect(await importOf(documentWith())).toBe(0);
});

afterAll(async () => {
  unordered.close();
  unordered.closeAllConnections();
  await rm(folder, { recursive: true });
});

async function importOf(document: object): Promise<number | null> {
  const file = join(folder, 'own.json');
  await writeFile(file, JSON.stringify(document));
  return (await runCommandLine(['import', file, '--yes', '--url', url])).code;
}

/** Starts the mirror behind the feed without an order. */
function mirror(...options: string[]) {
  const { port } = unordered.address() as AddressInfo;
  const env = { ...process.env, API_URL: `http://127.0.0.1:${port}`, API_KEY: key };
  return spawn('python3', [join(import.meta.dirname, 'mirror.py'), join(folder, 'copy.json'), ...options], { env });
}

async function upToDate(): Promise<Record<string, Record<string, object>>> {
  const child = mirror('--once');
  const [errors, [code]] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8')).records;
}

async function stored() {
  const { cmsModels, cmsEntries, menuCategories, menuProducts, forms } = client.manage;
  const byId = ({
    data,
    next,
  }: {
    readonly data: readonly { readonly id: string }[];
    readonly next: string | null;
  }) => {
    expect(next).toBeNull();
    return Object.fromEntries(data.map((record) => [record.id, record]));
  };
  const dishes = byId(await cmsEntries.list({ modelId: 'dishes', limit: 100 }));
  return {
    'cms-models': byId(await cmsModels.list({ limit: 100 })),
    'cms-entries': Object.fromEntries(Object.entries(dishes).map(([id, record]) => [`dishes/${id}`, record])),
    'menu-categories': byId(await menuCategories.list({ limit: 100 })),
    'menu-products': byId(await menuProducts.list({ limit: 100 })),
    forms: byId(await forms.list({ limit: 100 })),
  };
}

/**
 * One of several editors, who make, change, remove and make again records with the same ids. What another has made or
 * removed is refused; the service may be killed meanwhile.
 */
async function edit(editor: number): Promise<void> {
  const { cmsEntries, menuCategories, menuProducts } = client.manage;
  const [id, slug] = [`cat_edited_${editor}`, `edited-${editor}`];
  const entry = `dish_edited_${editor % 2}`;
  const attempt = (change: Promise<unknown>) => change.catch(() => undefined);
  for (let round = 0; round < 4; round++) {
    await attempt(menuCategories.create({ id, slug, name: { en: `Round ${round}` } }));
    await attempt(menuProducts.update('prod_1', { soldout: (round + editor) % 2 === 0 }));
    const values = { title: { en: `Title ${editor} ${round}` } };
    await attempt(cmsEntries.create({ id: entry, modelId: 'dishes', published: true, values }));
    await attempt(cmsEntries.update(`dishes/${entry}`, { published: round % 2 === 0 }));
    if (round < 3 || editor % 2 === 0) await attempt(menuCategories.delete(id));
    if ((round + editor) % 3 === 0) await attempt(cmsEntries.delete(`dishes/${entry}`));
  }
}

/** The document of the workspace. @param name of a product */
function documentWith(name?: string) {
  const document = everyKind(workspaceId);
  document.members[0].permissions = Permission.options;
  document.apiKeys[1].permissions = Permission.options;
  if (name !== undefined) document.menu.products[1].name.en = name;
  return document;
}

it('the mirror in Python equals the service after a busy session, kills and an import', async () => {
  expect(await upToDate()).toEqual(await stored());
  const editors = Promise.all([0, 1, 2, 3].map(edit));
  for (let isBusy = true; isBusy; ) {
    const child = mirror();
    isBusy = await Promise.race([editors.then(() => false), pause(700).then(() => true)]);
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  const edited = await stored();
  expect(await upToDate()).toEqual(edited);
  expect(Object.keys(edited['menu-categories'])).toEqual(expect.arrayContaining(['cat_edited_1', 'cat_edited_3']));

  expect(await importOf(documentWith('Imported'))).toBe(0);
  const copy = await upToDate();
  expect(copy).toEqual(await stored());
  expect(copy['menu-products']?.['prod_2']).toMatchObject({ name: { en: 'Imported' } });
});

/** `MIRROR_MINUTES=60` lets the rounds go on for an hour. */
const minutes = Number(process.env['MIRROR_MINUTES'] ?? 0);

it(
  'the mirror in Python equals a service that is killed in the middle of changes and of imports, again and again',
  async () => {
    const data = join(folder, 'data');
    const open = async () => {
      const service = await LocalService.start('--data', data);
      url = service.url;
      client = new WorkspaceClient({ baseUrl: url, apiKey: key });
      return service;
    };
    let service = await open();
    try {
      expect(await importOf(documentWith())).toBe(0);
      await rm(join(folder, 'copy.json'), { force: true });
      const end = Date.now() + minutes * 60_000;
      for (let round = 0; round === 0 || Date.now() < end; round++) {
        const following = mirror();
        for (const isImport of [false, true]) {
          const work = isImport
            ? [importOf(documentWith(`Round ${round}, killed`)).catch(() => undefined)]
            : [0, 1, 2, 3].map(edit);
          await pause(200 + Math.random() * 2_000);
          await service.stop('SIGKILL');
          service = await open();
          await Promise.all(work);
        }
        await Promise.all([0, 1, 2, 3].map(edit));
        expect(await importOf(documentWith(`Round ${round}`))).toBe(0);
        following.kill('SIGKILL');
        await once(following, 'close');
        const copy = await upToDate();
        expect(copy).toEqual(await stored());
        expect(copy['menu-products']?.['prod_2']).toMatchObject({ name: { en: `Round ${round}` } });
      }
    } finally {
      await service.stop();
    }
  },
  (10 + minutes) * 60_000,
);
