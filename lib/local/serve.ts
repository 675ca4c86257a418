import { historyPrefix } from '#lib/domain/files/history-file.ts';
import { findEndpoints, findTriggers, routeTable } from '#lib/endpoints.ts';
import type { Route } from '#lib/http/router.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { historyMilliseconds } from '#lib/table/history/kept-states.ts';
import { Table } from '#lib/table/table.ts';
import type { DataDirectory } from './data-directory.ts';
import { demoSecret } from './demo-tour.ts';
import type { DynamoDbEngine } from './dynamodb.ts';
import {
  setAddresses,
  setFilesEnvironment,
  setFunctionEnvironment,
  setMailEnvironment,
  sharedEnvironment,
} from './environment.ts';
import { startFront } from './front.ts';
import { hostFunctions, loadFunctions } from './function-host.ts';
import { startIssuer } from './issuer/issuer.ts';
import { describeSignIn, type LocalPerson, localPeople } from './issuer/issuer-people.ts';
import { loadWorkspaces } from './load-workspaces.ts';
import { startMail } from './mail-service.ts';
import { requestLimits } from './request-limits.ts';
import { filesBucket, startS3 } from './s3/s3-server.ts';
import { Stats } from './stats.ts';
import { tableName } from './table-name.ts';
import { startTriggers } from './triggers.ts';
import { websitePages } from './website/website-pages.ts';

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

/** The options, and what has been started before. */
interface ServeOptions {
  readonly options: ServiceOptions;
  readonly data: DataDirectory | undefined;
  readonly dynamodb: DynamoDbEngine;
  readonly signal: AbortSignal;
  /** Gets a step that undoes each started part. */
  readonly started: AsyncDisposableStack;
}

/** Starts all other parts of the service beside the engine, which may still boot. */
export async function serve({ options, data, dynamodb, signal, started }: ServeOptions) {
  const { host, port, workspaces } = options;
  const found = await findEndpoints();
  const routes = routeTable(found);
  const endpoints = new Map(found.map(({ name, endpoint }) => [name, endpoint]));
  const { s3, pages: enginePages } = await startOtherEngines(dynamodb, data, routes, started);

  // The functions are loaded while the engine boots.
  const steps = [loadFunctions(), loadTable(dynamodb, data, workspaces)] as const;
  const [modules, { table, reportOn }] = await unlessAborted(signal, Promise.all(steps));
  const stats = new Stats(s3);
  // A function without a table has no meter.
  const functions = hostFunctions(modules, endpoints, ({ state }) => state?.meter && stats.count(state.meter));

  const triggers = startTriggers({ triggers: await findTriggers(), modules });
  started.defer(() => triggers.stop());

  const website = await websiteOf(workspaces, s3.endpoint);
  const pages = { ...enginePages, stats: stats.read, 'DELETE stats': stats.reset, ...website };
  const limits = requestLimits[options.limits];
  const front = await startFront({ host, port, routes, endpoints, functions, limits, pages });
  started.defer(() => front.stop());
  signal.throwIfAborted();

  const url = urlOf(host, front.port);
  const issuer = await startIssuer(table, url);
  started.defer(() => issuer.stop());
  setAddresses(url, issuer.environment);
  const storageNote = data ? `Data is kept in ${data.path}.` : inMemory;
  const banner = [
    ...reportOn(url),
    '',
    storageNote,
    ...describeAddresses(url, await localPeople(table.uncached()), website !== undefined),
  ];
  return { url, banner };
}

async function loadTable({ ready }: DynamoDbEngine, data: DataDirectory | undefined, workspaces: readonly string[]) {
  await ready;
  await createTable(tableName);
  await data?.keep();
  const table = new Table({ client: tableClient('import'), name: tableName });
  return { table, reportOn: await loadWorkspaces(table.uncached(), workspaces) };
}

/** Stops waiting for a step when the user stops the start. The step then fails with its engine. */
async function unlessAborted<Result>(signal: AbortSignal, step: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([step, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** The website belongs to the demo, and uses its keys. */
async function websiteOf(workspaces: readonly string[], filesOrigin: string) {
  if (workspaces.length > 0) return undefined;
  const siteKey = await demoSecret('menu:category:read');
  const chatKey = await demoSecret('messaging:conversation:engage');
  return siteKey && chatKey ? websitePages({ siteKey, chatKey, channel: 'saffron.example', filesOrigin }) : undefined;
}

/** An address that works on this machine, also when the front listens on all interfaces. */
function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Starts the embedded S3 and mail service, and sets the environment of functions that are loaded later. */
async function startOtherEngines(
  dynamodb: DynamoDbEngine,
  data: DataDirectory | undefined,
  routes: readonly Route[],
  started: AsyncDisposableStack,
) {
  setFunctionEnvironment(dynamodb, tableName, routes);
  if (data) process.env['LOCAL_SECRET'] = data.secret;
  const expires = { prefix: historyPrefix, after: historyMilliseconds() };
  const s3 = await startS3({ ...dynamodb, bucket: filesBucket, directory: data?.s3, expires });
  started.defer(() => s3.stop());
  setFilesEnvironment(s3);
  const mail = await startMail(dynamodb.accessKeyId);
  started.defer(() => mail.stop());
  setMailEnvironment(mail.endpoint);
  const { endpoint, region, accessKeyId, secretAccessKey } = dynamodb;
  const engines = {
    dynamodb: { endpoint, region, accessKeyId, secretAccessKey, tableName },
    s3: { endpoint: s3.endpoint, region, accessKeyId, secretAccessKey, bucket: s3.bucket },
    mail: { endpoint: mail.endpoint },
    settings: sharedEnvironment(),
  };
  return { s3, pages: { engines: () => engines, mail: mail.mailbox.read, 'DELETE mail': mail.mailbox.empty } };
}
