import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireFreePort } from '#lib/local/free-port.ts';
import { Child } from './child.ts';
import { type HttpCall, HttpClient } from './http-load.ts';
import type { CallName, LoadTarget } from './load-target.ts';
import { processTree } from './process-usage.ts';
import type { Workbench } from './workbench.ts';

const startMillisecondsMax = 120_000;

/** Another service with the same data and the same workloads, installed in its own folder. */
interface Peer {
  readonly name: string;
  /** Its folder below PEERS_DIR. */
  readonly folder: string;
  readonly program: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly port: number;
  readonly authorization: string;
  readonly paths: Readonly<Record<CallName, readonly [method: string, path: string, body?: string]>>;
}

/**
 * Starts the services that are installed in PEERS_DIR, on SQLite and with the sample data loaded. `directus` (12) needs
 * nothing else. `strapi` (5) has its token in `token.txt`, and the id of the updated product in `first-id.txt`.
 * `payload` (3) has its key in `token.txt` and starts with `server.mjs`. PEERS_NODE is the path of the Node that runs
 * them.
 */
export async function startPeers(bench: Workbench, peersFolder: string): Promise<LoadTarget[]> {
  const targets: LoadTarget[] = [];
  for (const peer of [directus(), strapi(peersFolder), payload(peersFolder)]) {
    if (!existsSync(join(peersFolder, peer.folder))) continue;
    bench.note(`Starting ${peer.name}`);
    targets.push(await startPeer(bench, peersFolder, peer));
  }
  if (targets.length === 0) throw new Error('PEERS_DIR holds none of the folders directus, strapi and payload.');
  return targets;
}

async function startPeer(bench: Workbench, peersFolder: string, peer: Peer): Promise<LoadTarget> {
  const { name, folder, program, environment, port } = peer;
  await requireFreePort(port, '127.0.0.1');
  const child = Child.start(bench, {
    name,
    command: [process.env['PEERS_NODE'] ?? process.execPath, ...program],
    folder: join(peersFolder, folder),
    environment,
  });
  const { list20, list100, filter20, depth2, update } = peer.paths;
  const call = ([method, path, body]: Peer['paths'][CallName]): HttpCall => ({
    method,
    path: encodeURI(path),
    headers: { authorization: peer.authorization, ...(body && { 'content-type': 'application/json' }) },
    body,
  });
  const calls = {
    list20: call(list20),
    list100: call(list100),
    filter20: call(filter20),
    depth2: call(depth2),
    update: call(update),
  };
  const client = new HttpClient(port);
  const answers = () => client.call(calls.list20).then(({ status }) => status === 200, ignored);
  await child.until(answers, startMillisecondsMax);
  client.close();
  return { name, port, calls, pids: () => processTree(child.pid), enginePids: () => [] };
}

const ignored = () => undefined;

function directus(): Peer {
  const fields = [
    'id,slug,barcode,published,soldout,preparation_time,nutrition_facts,images,date_created,date_updated',
    'category.id,category.slug,category.name_en,category.name_ar',
    'translations.lang,translations.name,translations.intro,translations.description',
    'price_options.id,price_options.price',
  ].join();
  const list = (limit: number, query: string) =>
    `/items/products?limit=${limit}&meta=filter_count&${query}&fields=${fields}`;
  const found = 'filter[category][slug][_eq]=cat-0003&filter[translations][name][_icontains]=saffron';
  return {
    name: 'directus',
    folder: 'directus',
    program: ['node_modules/.bin/directus', 'start'],
    environment: { PRESSURE_LIMITER_ENABLED: 'false' },
    port: 8055,
    authorization: 'Bearer perf-token-0001',
    paths: {
      list20: ['GET', list(20, 'sort=-date_created')],
      list100: ['GET', list(100, 'sort=-date_created')],
      filter20: ['GET', list(20, `sort=translations.name&${found}`)],
      depth2: ['GET', `${list(20, 'sort=-date_created')},cms.article.*,cms.article.tag.*`],
      update: ['PATCH', '/items/products/5?fields=id', '{"soldout":true}'],
    },
  };
}

function strapi(peersFolder: string): Peer {
  const list = (limit: number, query: string) =>
    `/api/products?pagination[page]=1&pagination[pageSize]=${limit}&${query}&populate[price_options]=true&populate[category]=true`;
  const found = 'filters[category][slug][$eq]=cat-0003&filters[name_en][$containsi]=saffron';
  return {
    name: 'strapi',
    folder: 'strapi',
    program: ['node_modules/.bin/strapi', 'start'],
    environment: { NODE_ENV: 'production', STRAPI_TELEMETRY_DISABLED: 'true' },
    port: 1337,
    authorization: `Bearer ${readSetting(peersFolder, 'strapi/token.txt')}`,
    paths: {
      list20: ['GET', list(20, 'sort=createdAt:desc')],
      list100: ['GET', list(100, 'sort=createdAt:desc')],
      filter20: ['GET', list(20, `sort=name_en:asc&${found}`)],
      depth2: ['GET', `${list(20, 'sort=createdAt:desc')}&populate[cms][populate][tag]=true`],
      update: [
        'PUT',
        `/api/products/${readSetting(peersFolder, 'strapi/first-id.txt')}?fields[0]=slug`,
        '{"data":{"soldout":true}}',
      ],
    },
  };
}

function payload(peersFolder: string): Peer {
  const list = (limit: number, depth: number, query: string) =>
    `/api/products?limit=${limit}&depth=${depth}&${query}&locale=all`;
  const newest = 'sort=-createdAt';
  const found = 'sort=name.en&where[category.slug][equals]=cat-0003&where[name.en][contains]=saffron';
  return {
    name: 'payload',
    folder: 'payload',
    program: ['server.mjs'],
    environment: { NODE_ENV: 'production', PORT: '3200' },
    port: 3200,
    authorization: `users API-Key ${readSetting(peersFolder, 'payload/token.txt')}`,
    paths: {
      list20: ['GET', `${list(20, 1, newest)}&select[cms]=false`],
      list100: ['GET', `${list(100, 1, newest)}&select[cms]=false`],
      filter20: ['GET', `${list(20, 1, found)}&select[cms]=false`],
      depth2: ['GET', list(20, 2, newest)],
      update: ['PATCH', '/api/products/5?depth=0', '{"soldout":true}'],
    },
  };
}

/** A file that the installation of a peer has written; undefined without that peer. */
function readSetting(peersFolder: string, file: string): string {
  const path = join(peersFolder, file);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}
