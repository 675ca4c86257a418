import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { Failure } from '#lib/domain/failure.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { Inviter } from '#lib/invitations/invite.ts';
import { openDataDirectory } from '#lib/local/data-directory.ts';
import { type DynamoDbAccess, startDynamoDb } from '#lib/local/dynamodb.ts';
import {
  type SharedEnvironment,
  setFunctionEnvironment,
  setMailEnvironment,
  setSharedEnvironment,
} from '#lib/local/environment.ts';
import { tableName } from '#lib/local/table-name.ts';
import { tableClient } from '#lib/table/dynamodb/client.ts';
import { createTable } from '#lib/table/dynamodb/create-table.ts';
import { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { type Arguments, UsageError } from './arguments.ts';

/** The target of a command: a running or stopped local service, a deployed stack, or a table. */
export interface Target {
  readonly url: string;
  readonly data?: string | undefined;
  readonly stack?: string | undefined;
  readonly table?: string | undefined;
}

export const targetOptions = {
  url: { type: 'string' },
  data: { type: 'string' },
  stack: { type: 'string' },
  table: { type: 'string' },
} as const;

/** @throws UsageError */
export function targetOf(args: Arguments): Target {
  const target = {
    url: args.optional('url'),
    data: args.optional('data'),
    stack: args.optional('stack'),
    table: args.optional('table'),
  };
  if (Object.values(target).filter((value) => value !== undefined).length > 1) {
    throw new UsageError('Use only one of --url, --data, --stack and --table.');
  }
  const url = target.url ?? 'http://127.0.0.1:3000';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`--url must be a URL such as http://127.0.0.1:3000, not ${url}.`);
  }
  return { ...target, url };
}

export interface Connection {
  readonly table: Table;
  /** The base address of files, without a slash at its end; empty if there is none. */
  readonly baseUrl: string;
  /** The inviter of members. Undefined if the issuer has its own accounts, or no service is running. */
  readonly inviter?: Inviter;
  /** Stops the processes that the connection started. */
  close(): Promise<void>;
}

/** @throws Failure when the service does not exist, or its data is in use */
export async function connect({ url, data, stack, table }: Target): Promise<Connection> {
  if (table !== undefined) return { table: openTable(table), baseUrl: '', close: async () => undefined };
  if (stack !== undefined) return connectToStack(stack);
  return data === undefined ? connectToService(url) : connectToData(data);
}

async function connectToService(url: string): Promise<Connection> {
  const { dynamodb, mail, settings } = await enginesOf(url);
  setFunctionEnvironment(dynamodb, dynamodb.tableName, []);
  setSharedEnvironment(settings);
  const mailFrom = setMailEnvironment(mail.endpoint);
  const table = openTable(dynamodb.tableName);
  return { table, baseUrl: withoutSlash(url), inviter: { mailFrom }, close: async () => undefined };
}

interface LocalEngines {
  readonly dynamodb: DynamoDbAccess & { readonly tableName: string };
  readonly mail: { readonly endpoint: string };
  readonly settings: SharedEnvironment;
}

async function enginesOf(url: string): Promise<LocalEngines> {
  try {
    const answer = await fetch(new URL('/_local/engines', url), { signal: AbortSignal.timeout(5_000) });
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    const { dynamodb, mail, settings } = (await answer.json()) as Partial<LocalEngines>;
    if (!dynamodb?.endpoint || !mail?.endpoint || !settings) throw new Error('it is another service');
    return { dynamodb, mail, settings };
  } catch {
    throw new Failure(
      `No local service answers at ${url}. Start it with "npm start", or use --data DIR or --stack NAME.`,
    );
  }
}

async function connectToData(directory: string): Promise<Connection> {
  // A mistyped name must not become a new directory.
  if (!existsSync(join(directory, 'dynamodb'))) {
    throw new Failure(`The directory ${directory} has no data of a local service.`);
  }
  await using started = new AsyncDisposableStack();
  const data = await openDataDirectory(directory);
  started.defer(() => data.release());
  const engine = await startDynamoDb(data.dynamodb);
  started.defer(() => engine.stop());
  await engine.ready;
  setFunctionEnvironment(engine, tableName, []);
  await createTable(tableName);
  await data.keep();
  const running = started.move();
  return { table: openTable(tableName), baseUrl: '', close: () => running.disposeAsync() };
}

/** The outputs of a deployed stack by their names. @throws Failure */
export async function stackOutputs(stack: string): Promise<ReadonlyMap<string, string>> {
  const client = new CloudFormationClient({});
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack })).catch((cause: Error) => {
    throw new Failure(`The stack ${stack} cannot be read: ${cause.message}.`);
  });
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

async function connectToStack(stack: string): Promise<Connection> {
  const outputs = await stackOutputs(stack);
  const name = outputs.get('TableName');
  if (!name) throw new Failure(`The stack ${stack} has no output TableName.`);
  const baseUrl = withoutSlash(outputs.get('ApiUrl') ?? '');
  setSharedEnvironment({
    AI_MODELS: outputs.get('AgentModels'),
    CONVERSATION_DAYS: outputs.get('ConversationDays'),
    RESPONSE_DAYS: outputs.get('ResponseDays'),
  });
  const userPoolId = outputs.get('UserPoolId');
  const inviter = userPoolId === undefined ? {} : { inviter: { userPoolId } };
  return { table: openTable(name), baseUrl, ...inviter, close: async () => undefined };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Uses the account, region and endpoint of the environment. */
export const openTable = (name: string): Table => new Table({ client: tableClient('import'), name });

/** Reads the workspace of a command. @throws Failure when it does not exist */
export async function requireWorkspace(table: Table, workspaceId: string): Promise<Workspace> {
  const workspace = await findWorkspace(table.uncached(), workspaceId);
  if (!workspace) throw new Failure(`There is no workspace ${workspaceId}.`);
  return workspace;
}
