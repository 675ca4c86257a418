import { CloudFormationClient, GetTemplateCommand, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  DeleteFunctionConcurrencyCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  paginateListEventSourceMappings,
} from '@aws-sdk/client-lambda';
import { CommandFailure } from './command-failure.ts';
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

/** A deployed stack: its table, as its template wants it, and its functions. */
export class DeployedStack {
  readonly name: string;
  readonly tableName: string;
  /** The public address of the service. */
  readonly url: string;
  readonly table: TableProperties;
  readonly functions: readonly StackFunction[];
  /** The number of functions that follow the table's stream. */
  readonly followers: number;
  readonly #lambda = new LambdaClient({ maxAttempts });

  private constructor(
    name: string,
    outputs: ReadonlyMap<string, string>,
    resources: Readonly<Record<string, Resource>>,
    functionNames: ReadonlyMap<string, string>,
  ) {
    const ofType = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type);
    const [[, table] = []] = ofType('AWS::DynamoDB::GlobalTable');
    const tableName = outputs.get('TableName');
    if (!table?.Properties || !tableName) throw new CommandFailure(`The stack ${name} has no table of this service.`);
    this.name = name;
    this.tableName = tableName;
    this.url = outputs.get('ApiUrl') ?? '';
    this.table = table.Properties as TableProperties;
    this.followers = ofType('AWS::Lambda::EventSourceMapping').length;
    this.functions = ofType('AWS::Lambda::Function').flatMap(([id, { Properties }]) => {
      const physical = functionNames.get(id);
      const reserved = Properties?.['ReservedConcurrentExecutions'] as number | undefined;
      return physical === undefined ? [] : [{ name: physical, reserved }];
    });
  }

  /** @throws CommandFailure if there is no such stack, or it cannot be read */
  static async read(name: string): Promise<DeployedStack> {
    const outputs = await stackOutputs(name);
    try {
      const client = new CloudFormationClient({ maxAttempts });
      const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName: name }));
      const functionNames = new Map<string, string>();
      for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: name })) {
        for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries) {
          functionNames.set(LogicalResourceId, PhysicalResourceId);
        }
      }
      return new DeployedStack(name, outputs, JSON.parse(TemplateBody).Resources, functionNames);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      throw new CommandFailure(`The stack ${name} cannot be read: ${(error as Error).message}`);
    }
  }

  /** Lets no function run: none may be executed at a time. Requests are answered 429 and 503 meanwhile. */
  async stop(): Promise<void> {
    for (const { name } of this.functions) await this.#reserve(name, 0);
  }

  /** Gives all functions back what the template reserves for them. */
  async start(): Promise<void> {
    for (const { name, reserved } of this.functions) await this.#reserve(name, reserved);
  }

  async #reserve(FunctionName: string, count: number | undefined): Promise<void> {
    if (count === undefined) await this.#lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    else {
      const input = { FunctionName, ReservedConcurrentExecutions: count };
      await this.#lambda.send(new PutFunctionConcurrencyCommand(input));
    }
  }

  /** The number of functions that may run as often as the template says. */
  async runningCount(): Promise<number> {
    let count = 0;
    for (const { name, reserved } of this.functions) {
      const found = await this.#lambda.send(new GetFunctionConcurrencyCommand({ FunctionName: name }));
      if (found.ReservedConcurrentExecutions === reserved) count++;
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
