import { setTimeout as pause } from 'node:timers/promises';
import { CloudFormationClient, GetTemplateCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  paginateListEventSourceMappings,
} from '@aws-sdk/client-lambda';
import { Failure } from '#lib/domain/failure.ts';
import { signedHeaders } from '#lib/secrets/signed-headers.ts';
import { stackOutputs } from './connection.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The table of a template, with what its stack switches on. */
export interface TableProperties {
  readonly StreamSpecification?: { readonly StreamViewType: string };
  readonly TimeToLiveSpecification?: { readonly AttributeName: string; readonly Enabled: boolean };
  /** One, of the stack's own region. */
  readonly Replicas?: readonly {
    readonly DeletionProtectionEnabled?: boolean;
    readonly PointInTimeRecoverySpecification?: { readonly PointInTimeRecoveryEnabled: boolean };
  }[];
}

interface StackFunction {
  /** The name on AWS. */
  readonly name: string;
  /** The number of executions that the template reserves for it. */
  readonly reserved: number | undefined;
}

/** The call of each function is repeated when the account's rate of such calls is exceeded. */
const maxAttempts = 10;

/** The endpoint of a web function, whose concurrency cannot be 0. It is stopped by asking for signed requests. */
interface WebEndpoint {
  /** The identifier on AWS. */
  readonly name: string;
  /** How it authorizes requests, as the template says. */
  readonly authType: string;
}

/** Ten seconds, more or less. */
export const pauseForAWhile = (): Promise<void> => pause(Math.random() * 20_000);

const stoppedAuthType = 'IamAuth';

/** A deployed stack: its table, as its template wants it, and its functions. */
export class DeployedStack {
  readonly name: string;
  readonly tableName: string;
  /** The public address of the service. */
  readonly url: string;
  readonly table: TableProperties;
  readonly #functions: readonly StackFunction[];
  readonly #endpoints: readonly WebEndpoint[];
  /** The number of functions that follow the table's stream. */
  readonly followers: number;
  readonly #lambda = new LambdaClient({ maxAttempts });

  private constructor(
    name: string,
    outputs: ReadonlyMap<string, string>,
    resources: Readonly<Record<string, Resource>>,
    physicalNames: ReadonlyMap<string, string>,
  ) {
    const ofType = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type);
    const [[, table] = []] = ofType('AWS::DynamoDB::GlobalTable');
    const tableName = outputs.get('TableName');
    if (!table?.Properties || !tableName) throw new Failure(`The stack ${name} has no table of this service.`);
    this.name = name;
    this.tableName = tableName;
    this.url = outputs.get('ApiUrl') ?? '';
    this.table = table.Properties as TableProperties;
    this.followers = ofType('AWS::Lambda::EventSourceMapping').length;
    const existing = (type: string) =>
      ofType(type).flatMap(([id, { Properties = {} }]) => {
        const physical = physicalNames.get(id);
        return physical === undefined ? [] : [{ id, physical, Properties }];
      });
    const ofDeployment = functionsOfDeployment(resources);
    this.#functions = existing('AWS::Lambda::Function')
      .filter(({ id }) => !ofDeployment.has(id))
      .map(({ physical, Properties: { ReservedConcurrentExecutions: reserved } }) => ({
        name: physical,
        reserved: reserved as number | undefined,
      }));
    this.#endpoints = existing('AWS::Lambda::WebFunctionEndpoint').map(({ physical, Properties: { AuthType } }) => ({
      name: physical,
      authType: String(AuthType),
    }));
  }

  /** The number of functions, web functions included. */
  get functionCount(): number {
    return this.#functions.length + this.#endpoints.length;
  }

  /** @throws Failure if there is no such stack, or it cannot be read */
  static async read(name: string): Promise<DeployedStack> {
    const outputs = await stackOutputs(name);
    try {
      const client = new CloudFormationClient({ maxAttempts });
      const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName: name }));
      const physicalNames = new Map<string, string>();
      for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: name })) {
        for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries) {
          physicalNames.set(LogicalResourceId, PhysicalResourceId);
        }
      }
      return new DeployedStack(name, outputs, JSON.parse(TemplateBody).Resources, physicalNames);
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure(`The stack ${name} cannot be read: ${(error as Error).message}`);
    }
  }

  /** Lets no function run. Requests are answered 503, or at their own addresses 429 and 403, meanwhile. */
  async stop(): Promise<void> {
    for (const { name } of this.#functions) await this.#reserve(name, 0);
    for (const { name } of this.#endpoints) await this.#authorize(name, stoppedAuthType);
  }

  /** Gives all functions back what the template says. */
  async start(): Promise<void> {
    for (const { name, reserved } of this.#functions) await this.#reserve(name, reserved);
    for (const { name, authType } of this.#endpoints) await this.#authorize(name, authType);
  }

  async #reserve(FunctionName: string, count: number | undefined): Promise<void> {
    if (count === undefined) await this.#lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    else {
      const input = { FunctionName, ReservedConcurrentExecutions: count };
      await this.#lambda.send(new PutFunctionConcurrencyCommand(input));
    }
  }

  async #authorize(Identifier: string, value: string): Promise<void> {
    const PatchDocument = JSON.stringify([{ op: 'replace', path: '/AuthType', value }]);
    let { ProgressEvent: event } = await this.#cloudControl('UpdateResource', {
      ...endpointOf(Identifier),
      PatchDocument,
    });
    while (event?.OperationStatus === 'PENDING' || event?.OperationStatus === 'IN_PROGRESS') {
      await pauseForAWhile();
      const { RequestToken } = event;
      ({ ProgressEvent: event } = await this.#cloudControl('GetResourceRequestStatus', { RequestToken }));
    }
    if (event?.OperationStatus !== 'SUCCESS') throw new Failure(`${Identifier}: ${event?.StatusMessage}`);
  }

  /**
   * Calls AWS Cloud Control, which changes any resource of a template. There is no client of the SDK for web functions.
   * @throws Failure
   */
  async #cloudControl(call: string, input: Readonly<Record<string, unknown>>): Promise<CloudControlAnswer> {
    const [credentials, region] = await Promise.all([this.#lambda.config.credentials(), this.#lambda.config.region()]);
    const url = new URL(
      process.env['AWS_ENDPOINT_URL_CLOUDCONTROL'] ?? `https://cloudcontrolapi.${region}.amazonaws.com`,
    );
    const body = JSON.stringify(input);
    const signed = { url, service: 'cloudcontrolapi', region, target: `CloudApiService.${call}`, body } as const;
    const headers = signedHeaders({ ...signed, jsonVersion: '1.0' }, credentials);
    const signal = AbortSignal.timeout(cloudControlMilliseconds);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    const answer = (await response.json()) as CloudControlAnswer;
    if (response.ok) return answer;
    throw new Failure(`${answer.__type?.split('#').at(-1)}: ${answer.message ?? answer.Message}`);
  }

  /** The number of functions that may run as the template says. */
  async runningCount(): Promise<number> {
    let count = 0;
    for (const { name, reserved } of this.#functions) {
      const found = await this.#lambda.send(new GetFunctionConcurrencyCommand({ FunctionName: name }));
      if (found.ReservedConcurrentExecutions === reserved) count++;
    }
    for (const { name, authType } of this.#endpoints) {
      const { ResourceDescription } = await this.#cloudControl('GetResource', endpointOf(name));
      if (JSON.parse(ResourceDescription?.Properties ?? '{}').AuthType === authType) count++;
    }
    return count;
  }

  /** Whether every follower of the table follows this stream. */
  async follows(EventSourceArn: string): Promise<boolean> {
    let count = 0;
    const pages = paginateListEventSourceMappings({ client: this.#lambda }, { EventSourceArn });
    for await (const { EventSourceMappings = [] } of pages) {
      count += EventSourceMappings.filter(({ State }) => State === 'Enabled').length;
    }
    return count >= this.followers;
  }
}

/** The functions that CloudFormation calls itself. They never meet the table, and a deployment needs them. */
const functionsOfDeployment = (resources: Readonly<Record<string, Resource>>): ReadonlySet<string> =>
  new Set(
    Object.values(resources).flatMap(({ Properties }) => {
      const { 'Fn::GetAtt': [id] = [] } = (Properties?.['ServiceToken'] ?? {}) as { 'Fn::GetAtt'?: string[] };
      return id ?? [];
    }),
  );

const endpointOf = (Identifier: string) => ({ TypeName: 'AWS::Lambda::WebFunctionEndpoint', Identifier });

const cloudControlMilliseconds = 30_000;

/** The members that are read of the answers of Cloud Control, and of its errors. */
interface CloudControlAnswer {
  readonly ProgressEvent?: {
    readonly OperationStatus: string;
    readonly RequestToken: string;
    readonly StatusMessage?: string;
  };
  /** `Properties` is JSON. */
  readonly ResourceDescription?: { readonly Properties: string };
  readonly __type?: string;
  readonly message?: string;
  readonly Message?: string;
}
