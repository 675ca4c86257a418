import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { createTable } from '#lib/table/dynamodb/create-table.ts';

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
}

/** The items of a table at a time. */
interface Copy {
  readonly tableName: string;
  readonly takenAt: number;
  readonly items: readonly Record<string, AttributeValue>[];
}

type Fault = { readonly name: string; readonly times: number };

/**
 * Imitates the account of a deployed stack. DynamoDB Local holds the tables. It has no backups, no point-in-time
 * recovery and no other services of AWS, so that these are imitated here.
 */
export class AwsAccount {
  readonly #server: Server;
  readonly #engine: string;
  readonly stack = 'WorkspaceApi-bad-day';
  readonly tableName: string;
  readonly template: Template;
  /** The reserved executions of each function that has some. */
  readonly reserved = new Map<string, number>();
  /** How each web function's endpoint authorizes requests. */
  readonly authTypes = new Map<string, string>();
  /** Every change, such as `reserve fn-WebsiteHome 0`, `authorize fn-ThingWebEndpoint IamAuth` or `UpdateTable workspaces`. */
  readonly changes: string[] = [];
  /** By ARN. */
  readonly backups = new Map<string, Copy>();
  /** What point-in-time recovery has kept; undefined when it is off. */
  history: Copy[] | undefined = [];
  followedStream = 'arn:aws:dynamodb:ddblocal:000000000000:table/old/stream/2026-01-01T00:00:00.000';
  /** The number of times that a table is still being restored when it is asked for. */
  creatingAnswers = 0;
  /** Errors of calls, by the name of the call. */
  readonly faults = new Map<string, Fault>();

  private constructor(template: object, tableName: string) {
    this.template = template as Template;
    for (const id of this.endpoints) this.authTypes.set(`fn-${id}`, 'ApplicationManaged');
    this.tableName = tableName;
    this.#engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
    this.#server = createServer(async (request, reply) => {
      const body = await text(request);
      await this.#answer(request, body, reply).catch((error: Error) => answer(reply, 500, { message: String(error) }));
    });
  }

  static async open(template: object, tableName: string): Promise<AwsAccount> {
    const account = new AwsAccount(template, tableName);
    await once(account.#server.listen(0, '127.0.0.1'), 'listening');
    return account;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Leads the SDK here until the next command has run. */
  lead(): void {
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    for (const service of ['CLOUDFORMATION', 'CLOUDCONTROL', 'LAMBDA', 'DYNAMODB'])
      process.env[`AWS_ENDPOINT_URL_${service}`] = url;
  }

  /** The functions of the service, without those of the CDK that only a deployment runs. */
  get functions(): string[] {
    return this.#ofType('AWS::Lambda::Function').filter((id) => !id.startsWith('Custom'));
  }

  /** The endpoints of web functions. */
  get endpoints(): string[] {
    return this.#ofType('AWS::Lambda::WebFunctionEndpoint');
  }

  #ofType = (type: string): string[] =>
    Object.keys(this.template.Resources).filter((id) => this.template.Resources[id]?.Type === type);

  /** The names of the functions, and of the endpoints of web functions, that refuse every request. */
  get stopped(): string[] {
    return [
      ...this.functions.filter((id) => this.reserved.get(`fn-${id}`) === 0),
      ...this.endpoints.filter((id) => this.authTypes.get(`fn-${id}`) === 'IamAuth'),
    ];
  }

  async copy(tableName = this.tableName): Promise<Copy> {
    const { Items = [] } = await this.#client().send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    return { tableName, takenAt: Date.now(), items: Items };
  }

  #client = (): DynamoDBClient => new DynamoDBClient({ endpoint: this.#engine });

  async #answer(request: IncomingMessage, body: string, reply: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const [api, call] = String(headers['x-amz-target'] ?? '').split('.');
    if (call !== undefined && api === 'CloudApiService') {
      const found = this.#cloudControl(call, JSON.parse(body), headers);
      return answer(reply, '__type' in found ? 400 : 200, found);
    }
    if (call !== undefined) return this.#dynamoDb(call, body, headers, reply);
    const [, name = ''] = /\/functions\/([^/]+)\/concurrency$/.exec(url) ?? [];
    if (name !== '') return this.#concurrency(method, decodeURIComponent(name), body, reply);
    if (url.includes('/event-source-mappings')) {
      const asked = new URL(url, 'http://lambda').searchParams.get('EventSourceArn');
      const mappings = asked === this.followedStream ? [{ UUID: 'one', State: 'Enabled' }] : [];
      return answer(reply, 200, { EventSourceMappings: mappings });
    }
    return this.#cloudFormation(new URLSearchParams(body), reply);
  }

  #concurrency(method: string, name: string, body: string, reply: ServerResponse): void {
    if (method === 'PUT') {
      const count = JSON.parse(body).ReservedConcurrentExecutions;
      this.changes.push(`reserve ${name} ${count}`);
      this.reserved.set(name, count);
    }
    if (method === 'DELETE') {
      this.changes.push(`release ${name}`);
      this.reserved.delete(name);
    }
    const ReservedConcurrentExecutions = this.reserved.get(name);
    answer(reply, method === 'DELETE' ? 204 : 200, { ReservedConcurrentExecutions });
  }

  /** A change is in progress when its state is asked for the first time. */
  // biome-ignore lint/suspicious/noExplicitAny: the members that Cloud Control takes.
  #cloudControl(call: string, asked: any, { authorization = '' }: IncomingMessage['headers']): object {
    const { TypeName, Identifier, PatchDocument, RequestToken } = asked;
    const fault = this.#fault(call);
    if (fault) return fault;
    if (!/^AWS4-HMAC-SHA256 Credential=\S+\/cloudcontrolapi\/aws4_request, /.test(authorization)) {
      return { __type: 'IncompleteSignatureException', message: 'No signature.' };
    }
    if (call === 'GetResourceRequestStatus') {
      const OperationStatus = RequestToken === 'asked before' ? 'SUCCESS' : 'IN_PROGRESS';
      return { ProgressEvent: { OperationStatus, RequestToken: 'asked before' } };
    }
    const AuthType = this.authTypes.get(Identifier);
    if (TypeName !== 'AWS::Lambda::WebFunctionEndpoint' || AuthType === undefined) {
      return { __type: 'ResourceNotFoundException', message: `There is no ${Identifier}.` };
    }
    if (call === 'GetResource') {
      const Properties = JSON.stringify({ EndpointName: 'prod', AuthType });
      return { TypeName, ResourceDescription: { Identifier, Properties } };
    }
    const [{ op, path, value }] = JSON.parse(PatchDocument);
    this.changes.push(`${op === 'replace' && path === '/AuthType' ? 'authorize' : op} ${Identifier} ${value}`);
    this.authTypes.set(Identifier, value);
    return { ProgressEvent: { OperationStatus: 'IN_PROGRESS', RequestToken: 'new' } };
  }

  #fault(call: string): object | undefined {
    const fault = this.faults.get(call);
    if (!fault || fault.times === 0) return undefined;
    this.faults.set(call, { ...fault, times: fault.times - 1 });
    return { __type: fault.name, message: `${call} fails as planned.` };
  }

  #cloudFormation(asked: URLSearchParams, reply: ServerResponse): void {
    const call = asked.get('Action') ?? '';
    if (asked.get('StackName') !== this.stack) {
      const error = '<Error><Code>ValidationError</Code><Message>Stack does not exist</Message></Error>';
      reply.writeHead(400, { 'content-type': 'text/xml' }).end(`<ErrorResponse>${error}</ErrorResponse>`);
      return;
    }
    const members = {
      DescribeStacks: () => {
        const outputs = { TableName: this.tableName, ApiUrl: 'https://api.example.com' };
        const lines = Object.entries(outputs).map(
          ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
        );
        return `<Stacks><member><StackName>${this.stack}</StackName><Outputs>${lines.join('')}</Outputs></member></Stacks>`;
      },
      GetTemplate: () => `<TemplateBody><![CDATA[${JSON.stringify(this.template)}]]></TemplateBody>`,
      ListStackResources: () => {
        const lines = Object.entries(this.template.Resources).map(
          ([id, { Type }]) =>
            `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>fn-${id}</PhysicalResourceId><ResourceType>${Type}</ResourceType></member>`,
        );
        return `<StackResourceSummaries>${lines.join('')}</StackResourceSummaries>`;
      },
    };
    const result = members[call as keyof typeof members]();
    reply.writeHead(200, { 'content-type': 'text/xml' });
    reply.end(`<${call}Response><${call}Result>${result}</${call}Result></${call}Response>`);
  }

  async #dynamoDb(call: string, body: string, headers: IncomingMessage['headers'], reply: ServerResponse) {
    const fault = this.#fault(call);
    if (fault) return answer(reply, 400, fault);
    const imitated = this.#imitated[call];
    const asked = JSON.parse(body);
    if (call === 'DescribeTable' && this.creatingAnswers-- > 0) {
      return answer(reply, 200, { Table: { TableName: asked.TableName, TableStatus: 'CREATING' } });
    }
    if (/^(?:Update(?!Item)|Restore)/.test(call))
      this.changes.push(`${call} ${asked.TableName ?? asked.TargetTableName}`);
    if (imitated) {
      const found = await imitated(asked);
      return answer(reply, '__type' in found ? 400 : 200, found);
    }
    const { host, connection, 'content-length': _, ...passed } = headers;
    const response = await fetch(this.#engine, { method: 'POST', headers: passed as Record<string, string>, body });
    reply.writeHead(response.status, { 'content-type': 'application/x-amz-json-1.0' });
    reply.end(Buffer.from(await response.arrayBuffer()));
  }

  // biome-ignore lint/suspicious/noExplicitAny: the SDK has checked the inputs.
  readonly #imitated: Readonly<Record<string, (asked: any) => Promise<object>>> = {
    ListBackups: async ({ TableName }) => ({
      BackupSummaries: [...this.backups]
        .filter(([, { tableName }]) => tableName === TableName)
        .map(([BackupArn, { takenAt }]) => ({
          BackupArn,
          BackupStatus: 'AVAILABLE',
          BackupCreationDateTime: takenAt / 1_000,
        })),
    }),
    RestoreTableFromBackup: async ({ BackupArn, TargetTableName }) => {
      const copy = this.backups.get(BackupArn);
      return copy ? this.#write(TargetTableName, copy) : { __type: 'BackupNotFoundException', message: 'No backup.' };
    },
    RestoreTableToPointInTime: async ({ RestoreDateTime, TargetTableName }) => {
      const copy = this.history?.findLast(({ takenAt }) => takenAt <= RestoreDateTime * 1_000);
      return copy ? this.#write(TargetTableName, copy) : { __type: 'InvalidRestoreTimeException', message: 'No.' };
    },
    DescribeContinuousBackups: async () => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: this.history
          ? {
              PointInTimeRecoveryStatus: 'ENABLED',
              EarliestRestorableDateTime: (this.history[0]?.takenAt ?? Date.now()) / 1_000,
              LatestRestorableDateTime: Date.now() / 1_000,
            }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }),
    UpdateContinuousBackups: async () => {
      this.history = [];
      return {};
    },
  };

  /** A restored table has the items, and nothing that was switched on. */
  async #write(name: string, { items }: Copy): Promise<object> {
    await createTable(name);
    for (let start = 0; start < items.length; start += 25) {
      const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
      await this.#client().send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }));
    }
    this.creatingAnswers = 2;
    return { TableDescription: { TableName: name, TableStatus: 'CREATING' } };
  }
}

function answer(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(body));
}
