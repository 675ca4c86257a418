import { bundleFunctions } from '../bundle/bundle-functions.ts';
import { type EndpointFunction, findEndpoints, findTriggers, routeTable } from '../endpoints.ts';
import { openDataDirectory } from './data-directory.ts';
import { startEngines } from './engines.ts';
import { setAddresses } from './environment.ts';
import { requireFreePort } from './free-port.ts';
import { startFront } from './front.ts';
import { loadFunctions } from './function-host.ts';
import { startIssuer } from './issuer/issuer.ts';
import { describeSignIn, type LocalPerson, localPeople } from './issuer/issuer-people.ts';
import { demoSecret, loadWorkspaces, requireReadable } from './load-workspaces.ts';
import { meteredFunctions } from './metered-functions.ts';
import { requestLimits } from './request-limits.ts';
import { StartFailure } from './start-failure.ts';
import { Stats } from './stats.ts';
import { tableName } from './table-name.ts';
import { startTriggers } from './triggers.ts';
import { websitePages } from './website/website-pages.ts';
import { openWorkspaceStore } from './workspace-store.ts';

const inMemory = 'Data is kept in memory and ends with this process; --data DIR keeps it.';

const describeAddresses = (url: string, people: readonly LocalPerson[], hasWebsite: boolean): readonly string[] => [
  `Mail is not sent out; ${url}/_local/mail lists it.`,
  `In a browser: ${url}/docs tries every call.`,
  `Console: ${url}/console`,
  ...describeSignIn(people),
  ...(hasWebsite ? [`The website of the demo, with its chat: ${url}/_local/website`] : []),
];

export interface ServiceOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Folder of the data; by default it is in memory. */
  readonly data?: string;
  /** Workspace documents to load; by default the demo. */
  readonly workspaces: readonly string[];
  readonly limits: keyof typeof requestLimits;
}

export interface Service {
  readonly url: string;
  /** Lines for the terminal. */
  readonly banner: readonly string[];
  /** Resolves when an engine ends unexpectedly. */
  readonly engineFailed: Promise<StartFailure>;
  /** Stops everything, in reverse order. */
  stop(): Promise<void>;
}

/** Starts the whole service on this machine. When a step fails, the earlier steps are undone. */
export async function startService(options: ServiceOptions, signal: AbortSignal): Promise<Service> {
  const { host, port, workspaces } = options;
  await using started = new AsyncDisposableStack();

  await requireFreePort(port, host);
  await requireReadable(workspaces);

  const data = options.data === undefined ? undefined : await openDataDirectory(options.data);
  started.defer(() => data?.release());

  const endpoints = await findEndpoints();
  const routes = routeTable(endpoints);
  const { dynamodb, s3, pages: enginePages } = await startEngines(data, routes, started);

  // The engine boots while the functions are bundled and loaded.
  const stats = new Stats(s3);
  const bundles = await unlessAborted(signal, bundleFunctions().catch(asStartFailure));
  const functions = meteredFunctions(loadFunctions(bundles, timeoutsOf(endpoints)), stats);
  await unlessAborted(signal, dynamodb.ready);

  const store = openWorkspaceStore(tableName);
  await unlessAborted(signal, store.createTable());
  const reportOn = await unlessAborted(signal, loadWorkspaces(store, workspaces));

  const triggers = startTriggers({ triggers: await findTriggers(), bundles });
  started.defer(() => triggers.stop());

  const website = await websiteOf(workspaces, s3.endpoint);
  const pages = { ...enginePages, stats: stats.read, 'DELETE stats': stats.reset, ...website };
  const limits = requestLimits[options.limits];
  const uploads = uploadsOf(endpoints);
  const streamed = streamedOf(endpoints);
  const front = await startFront({ host, port, routes, uploads, streamed, functions, limits, pages });
  started.defer(() => front.stop());
  signal.throwIfAborted();

  const url = urlOf(host, front.port);
  const issuer = await startIssuer(store.table, url);
  started.defer(() => issuer.stop());
  setAddresses(url, issuer.environment);
  const running = started.move();
  const storageNote = data ? `Data is kept in ${data.path}.` : inMemory;
  const banner = [
    ...reportOn(url),
    '',
    storageNote,
    ...describeAddresses(url, await localPeople(store.table.uncached()), website !== undefined),
  ];
  return { url, banner, engineFailed: dynamodb.failed, stop: () => running.disposeAsync() };
}

/** Stops waiting for a step when the user stops the start. The step then fails with its engine. */
async function unlessAborted<Result>(signal: AbortSignal, step: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([step, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** The bundler's message names the error; its stack does not help. */
function asStartFailure(error: Error): never {
  throw new StartFailure(error.message);
}

/** The website belongs to the demo, and uses its keys. */
async function websiteOf(workspaces: readonly string[], filesOrigin: string) {
  const siteKey = await demoSecret(workspaces, 'menu:category:read');
  const chatKey = await demoSecret(workspaces, 'messaging:conversation:engage');
  return siteKey && chatKey ? websitePages({ siteKey, chatKey, channel: 'saffron.example', filesOrigin }) : undefined;
}

/** The functions that read files from their body. */
const uploadsOf = (endpoints: readonly EndpointFunction[]): ReadonlySet<string> =>
  new Set(endpoints.filter(({ endpoint }) => endpoint.requestBodyMode === 'streamed').map(({ name }) => name));

const streamedOf = (endpoints: readonly EndpointFunction[]): ReadonlySet<string> =>
  new Set(endpoints.filter(({ endpoint }) => endpoint.responseMode === 'streamed').map(({ name }) => name));

/** Behind a function URL the function's own timeout applies. */
const timeoutsOf = (endpoints: readonly EndpointFunction[]): ReadonlyMap<string, number> =>
  new Map(
    endpoints.flatMap(({ name, endpoint: { lambda } }) =>
      lambda?.timeoutSeconds ? [[name, lambda.timeoutSeconds]] : [],
    ),
  );

/** An address that works on this machine, also when the front listens on all interfaces. */
function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
