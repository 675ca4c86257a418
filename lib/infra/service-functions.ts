import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Bundle } from '#lib/bundle/bundle-functions.ts';
import {
  constructId,
  type EndpointFunction,
  fallbackFunction,
  groupOf,
  routesNear,
  routeTable,
  type TriggeredFunction,
} from '#lib/endpoints.ts';
import type { Endpoint, LambdaSettings, Use } from '#lib/http/declaration.ts';
import { callersOf } from '#lib/http/endpoint.ts';
import { encodeRoutes, type Route } from '#lib/http/router.ts';
import { accessFor } from './access.ts';
import { acknowledge, acknowledgeMailAccess, acknowledgeModelAccess } from './acknowledgements.ts';
import { type Environment, environmentFor } from './environment.ts';
import { modelAccess } from './model-access.ts';
import {
  BackgroundFunction,
  type Logs,
  memoryMegabytesDefault,
  ServiceFunction,
  type ServiceFunctionProps,
  timeoutSecondsDefault,
} from './service-function.ts';
import type { Settings } from './settings.ts';
import { allow } from './statements.ts';
import type { WorkspaceBucket, WorkspaceTable } from './stores.ts';
import { WebUpload } from './web-upload.ts';

export interface ServiceFunctionsProps {
  readonly endpoints: readonly EndpointFunction[];
  readonly bundles: readonly Pick<Bundle, 'name' | 'folder'>[];
  readonly table: WorkspaceTable;
  readonly bucket: WorkspaceBucket;
  readonly originSecret: ISecret;
  readonly signingSecret: ISecret;
  readonly metricNamespace: string;
  readonly logs: Logs;
  readonly settings: Settings;
}

/** The environment that follows from the address of the service. */
export type ServiceAddresses = Pick<Environment, 'assetBaseUrl' | 'identity'>;

/** Makes the functions of a stack from their declarations, and keeps them by name. */
export class ServiceFunctions {
  /** The functions by the names of their constructs. */
  readonly all = new Map<string, ServiceFunction>();
  readonly background = new Map<string, BackgroundFunction>();
  readonly webUploads = new Map<string, WebUpload>();
  readonly #scope: Construct;
  readonly #props: ServiceFunctionsProps;

  constructor(scope: Construct, props: ServiceFunctionsProps) {
    this.#scope = scope;
    this.#props = props;
  }

  /**
   * The function of an endpoint, which it may share with others of its group.
   * @param addresses absent if the service's address depends on this function, which therefore cannot have it
   */
  endpoint(declared: EndpointFunction, addresses: ServiceAddresses = {}): ServiceFunction {
    const { name, members } = this.#sharers(declared);
    const made = this.all.get(constructId(name));
    if (made) return made;
    const endpoints = members.map(({ endpoint }) => endpoint);
    const uses = [...new Set(endpoints.flatMap((endpoint) => this.#usesOf(endpoint)))];
    const mostOf = (setting: keyof LambdaSettings, standard: number): number =>
      Math.max(...endpoints.map(({ lambda }) => lambda?.[setting] ?? standard));
    const isStreamed = declared.endpoint.responseMode === 'streamed';
    return this.#answering(name, uses, {
      memoryMegabytes: mostOf('memoryMegabytes', memoryMegabytesDefault),
      timeoutSeconds: mostOf('timeoutSeconds', timeoutSecondsDefault),
      description: members.length > 1 ? `Handle ${members.length} kinds of requests.` : declared.endpoint.summary,
      ...this.#granted(uses, this.#routesFor(name, members), addresses),
      concurrency: isStreamed ? this.#streamConcurrency() : undefined,
    });
  }

  /** The name of a function, and the endpoints that it handles. Web functions are alone. */
  #sharers(declared: EndpointFunction): { readonly name: string; readonly members: readonly EndpointFunction[] } {
    const { endpoints, settings } = this.#props;
    const name = this.#nameOf(declared.name);
    if (name === declared.name) return { name, members: [declared] };
    const isAlone = ({ endpoint }: EndpointFunction) =>
      settings.uploads === 'web' && endpoint.requestBodyMode === 'streamed';
    return { name, members: endpoints.filter((found) => this.#nameOf(found.name) === name && !isAlone(found)) };
  }

  /** The same function as a web function, which takes larger bodies. */
  web(declared: EndpointFunction, assetBaseUrl: string): WebUpload {
    const { name, endpoint } = declared;
    const uses = this.#usesOf(endpoint);
    const web = new WebUpload(this.#scope, constructId(name), {
      code: this.#codeOf(name),
      ...this.#granted(uses, this.#routesFor(name, [declared]), { assetBaseUrl }),
      settings: this.#props.settings,
    });
    acknowledge(web.role, 'fileAccess');
    this.webUploads.set(web.node.id, web);
    return web;
  }

  /** The function that answers requests that match no route. It may be that of its group. */
  fallback(): ServiceFunction {
    const name = this.#nameOf(fallbackFunction);
    const props = {
      description: 'Answer requests that match no route.',
      ...this.#granted([], this.#routesFor(name, [])),
    };
    return this.all.get(constructId(name)) ?? this.#answering(name, [], props);
  }

  /** @param assetBaseUrl base address of file links */
  trigger({ name, trigger }: TriggeredFunction, assetBaseUrl: string): void {
    const { table, settings } = this.#props;
    const { uses } = trigger;
    const signs = uses.includes('webhooks:send') ? [this.#props.signingSecret.secretArn] : [];
    const background = new BackgroundFunction(this.#scope, constructId(name), {
      trigger,
      // A restored table has another stream. CloudFormation knows that of the table that it has made.
      streamArn: settings.tableStreamArn ?? table.tableStreamArn ?? '',
      code: this.#codeOf(name),
      environment: environmentFor(uses, {
        ...this.#values(),
        ...(uses.includes('files:link') && { assetBaseUrl }),
        ...(signs[0] !== undefined && { signingSecretArn: signs[0] }),
      }),
      access: [...this.#access(uses), ...allow(['secretsmanager:GetSecretValue'], signs)],
      logGroup: this.#props.logs.work,
      settings,
    });
    acknowledge(background.fn.role, 'fileAccess');
    if (uses.includes('mail:send')) acknowledgeMailAccess(background.fn.role);
    this.background.set(background.node.id, background);
    this.all.set(background.node.id, background.fn);
  }

  #answering(
    name: string,
    uses: readonly Use[],
    props: Pick<
      ServiceFunctionProps,
      'description' | 'environment' | 'access' | 'concurrency' | 'memoryMegabytes' | 'timeoutSeconds'
    >,
  ): ServiceFunction {
    const { logs, settings } = this.#props;
    const fn = new ServiceFunction(this.#scope, constructId(name), {
      ...props,
      code: this.#codeOf(name),
      logGroup: logs.requests,
      settings,
    });
    acknowledge(fn.role, 'fileAccess');
    if (uses.includes('identity:invite')) acknowledgeMailAccess(fn.role);
    if (uses.includes('model:invoke')) acknowledgeModels(fn, settings);
    this.all.set(fn.node.id, fn);
    return fn;
  }

  #access(uses: readonly Use[], { identity }: ServiceAddresses = {}): PolicyStatement[] {
    const { table, bucket, settings } = this.#props;
    return accessFor(uses, { tableArn: table.tableArn, bucketArn: bucket.bucketArn, identity, settings });
  }

  /** Environment and rights of a function that answers requests. */
  #granted(uses: readonly Use[], table: readonly Route[], addresses: ServiceAddresses = {}) {
    const { secretArn: originSecretArn } = this.#props.originSecret;
    const { secretArn: signingSecretArn } = this.#props.signingSecret;
    const routes = table.length === 0 ? undefined : encodeRoutes(table);
    const own = { ...this.#values(), ...addresses, originSecretArn, signingSecretArn, routes };
    const readSecrets = allow(['secretsmanager:GetSecretValue'], [originSecretArn, signingSecretArn]);
    return { environment: environmentFor(uses, own), access: [...this.#access(uses, addresses), ...readSecrets] };
  }

  /**
   * The function records the use of keys, and counts calls if they are limited. It reads sessions if the route accepts
   * them.
   */
  #usesOf(endpoint: Endpoint): readonly Use[] {
    const callers = callersOf(endpoint);
    const isLimited = callers.length > 0 && this.#props.settings.keyCallsPerMinute !== undefined;
    const more: readonly Use[] = [
      ...(callers.includes('key') ? (['table:record-key-use'] as const) : []),
      ...(callers.includes('session') ? (['table:session'] as const) : []),
      ...(isLimited ? (['table:rate'] as const) : []),
    ];
    return [...new Set([...endpoint.uses, ...more])];
  }

  /** All routes for the function of unknown addresses, and for another those near its own. */
  #routesFor(name: string, members: readonly EndpointFunction[]): Route[] {
    const { endpoints } = this.#props;
    return name === this.#nameOf(fallbackFunction) ? routeTable(endpoints) : routesNear(members, endpoints);
  }

  /** The name of the function that has the handler: that of its group, if the settings ask for groups. */
  #nameOf = (name: string): string => (this.#props.settings.functions === 'grouped' && groupOf(name)) || name;

  /**
   * The number of concurrent answers of each streaming function. Function URLs have no throttle. Without a bound, one
   * caller could use the capacity of the whole account. AWS requires that 100 executions stay unreserved in the account,
   * so a small or unknown quota, and one that other stacks have reserved, has no bound.
   */
  #streamConcurrency(): number | undefined {
    const { endpoints, settings } = this.#props;
    const { concurrencyQuota = 0, concurrencyRoom = concurrencyQuota } = settings;
    const tenth = Math.floor(concurrencyQuota / 10);
    const streamed = endpoints.filter(({ endpoint }) => endpoint.responseMode === 'streamed').length;
    return concurrencyQuota < 500 || concurrencyRoom - tenth * streamed < 100 ? undefined : tenth;
  }

  #values(): Environment {
    const { table, bucket, metricNamespace, settings } = this.#props;
    return { tableName: table.tableName, bucketName: bucket.bucketName, metricNamespace, settings };
  }

  #codeOf(name: string): string {
    const bundle = this.#props.bundles.find((candidate) => candidate.name === name);
    if (!bundle) throw new Error(`There is no bundle of functions/${name}.`);
    return bundle.folder;
  }
}

function acknowledgeModels({ role }: ServiceFunction, settings: Settings): void {
  const arns = modelAccess(settings).flatMap(({ resources }) => resources);
  for (const arn of arns) if (arn.includes('*')) acknowledgeModelAccess(role, arn);
}
