import { type App, Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { constructId, type EndpointFunction, type TriggeredFunction } from '#lib/endpoints.ts';
import { routesOf } from '#lib/http/endpoint.ts';
import { acknowledge } from './acknowledgements.ts';
import { type BackupProps, backUp } from './backup.ts';
import { Operations } from './dashboard.ts';
import { Edge, type EdgeRoute, hostOf } from './edge.ts';
import { sharedSettings } from './environment.ts';
import { HttpFront } from './http-front.ts';
import { identityOf } from './identity.ts';
import type { IssuerAddresses } from './issuer.ts';
import { secretsOf } from './secrets.ts';
import { makeLogs, type ServiceFunction } from './service-function.ts';
import { ServiceFunctions, type ServiceFunctionsProps } from './service-functions.ts';
import type { Settings } from './settings.ts';
import { WorkspaceBucket, WorkspaceTable } from './stores.ts';

export interface ServiceStackProps {
  /** Every endpoint of the service; each becomes a function with its routes. */
  readonly endpoints: readonly EndpointFunction[];
  /** Every background function. */
  readonly triggers: readonly TriggeredFunction[];
  /** The code of every function. */
  readonly bundles: ServiceFunctionsProps['bundles'];
  /** The addresses of the setting oidcIssuer, which `discoverIssuer` finds. */
  readonly issuer?: IssuerAddresses | undefined;
  readonly settings: Settings;
}

/** The whole service. Its functions come from their declarations. */
export class ServiceStack extends Stack {
  constructor(app: App, { endpoints, triggers, bundles, issuer, settings }: ServiceStackProps) {
    super(app, stackName(settings.stage), {
      description: 'Workspace-scoped REST service',
      terminationProtection: settings.deletionProtection,
    });
    // Stages in one account would otherwise add up in one metric; that of prod is WorkspaceApi.
    const shared = { metricNamespace: this.stackName, logs: makeLogs(this, settings), settings };
    const table = new WorkspaceTable(this, 'Table', settings);
    const bucket = new WorkspaceBucket(this, 'Files', settings);
    const backupVault = this.#guard({ table, bucket }, settings);
    const front = new HttpFront(this, 'Front', settings);
    const stores = { table, bucket, ...secretsOf(this) };
    const functions = new ServiceFunctions(this, { endpoints, bundles, ...stores, ...shared });

    const { streamed, throughWeb, throughGateway } = byEntrance(endpoints, settings);
    const streams = streamed.map((found) => streamFrom(found, functions.endpoint(found)));
    const webRoutes = throughWeb.map((found) => webRoute(found, functions, settings));
    const edge = new Edge(this, 'Edge', {
      apiHost: front.host,
      routes: [...streams.map(({ route }) => route), ...webRoutes, ...throughGateway.flatMap(edgeRoutes)],
      originSecret: stores.originSecret,
      settings,
    });
    const identity = identityOf(this, edge.url, { issuer, settings });
    const addresses = { assetBaseUrl: edge.url, identity };
    for (const found of throughGateway) front.route(found, functions.endpoint(found, addresses));
    front.routeRest(functions.fallback());
    for (const trigger of triggers) functions.trigger(trigger, addresses.assetBaseUrl);

    new Operations(this, 'Operations', {
      front,
      edge,
      tableName: table.tableName,
      ...shared,
      functions,
      streamed: new Set(streams.map(({ name }) => name)),
      modelRoutes: modelRoutesOf(endpoints),
      backupVault,
    });
    this.#addOutputs({
      ApiUrl: edge.url,
      TableName: table.tableName,
      BucketName: bucket.bucketName,
      OriginSecretArn: stores.originSecret.secretArn,
      SigningSecretArn: stores.signingSecret.secretArn,
      DistributionId: edge.distribution.distributionId,
      DistributionDomainName: edge.distribution.distributionDomainName,
      Region: Aws.REGION,
      RequestLog: shared.logs.requests.logGroupName,
      UserPoolId: identity.userPool?.userPoolId,
      ...sharedSettings(settings),
    });
  }

  /**
   * Backup and budget, according to the settings, which the template keeps for the next deployment to compare.
   * @returns the vault, if there is a backup
   */
  #guard(data: Pick<BackupProps, 'table' | 'bucket'>, settings: Settings): string | undefined {
    const { backupDays, backupCopyVaultArn, monthlyBudget, alarmEmail, file } = settings;
    this.templateOptions.metadata = { [settingsEntry]: file };
    if (monthlyBudget !== undefined && alarmEmail !== undefined) {
      watchCost(this, monthlyBudget, alarmEmail);
    }
    if (backupDays === undefined) return undefined;
    return backUp(this, { ...data, days: backupDays, copyVaultArn: backupCopyVaultArn });
  }

  /** Prints values with every deployment. */
  #addOutputs(outputs: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(outputs)) if (value !== undefined) new CfnOutput(this, name, { value });
  }
}

/** The entry of the template's metadata that keeps the file of settings. */
export const settingsEntry = 'Settings';

export const stackName = (stage: string): string => (stage === 'prod' ? 'WorkspaceApi' : `WorkspaceApi-${stage}`);

/** The endpoints by what leads to them: a function URL that streams, one that takes plain HTTP, or the gateway. */
function byEntrance(endpoints: readonly EndpointFunction[], { uploads }: Settings) {
  const streamed = endpoints.filter(({ endpoint }) => endpoint.responseMode === 'streamed');
  const receiving = endpoints.filter(({ endpoint }) => endpoint.requestBodyMode === 'streamed');
  const throughWeb = uploads === 'web' ? receiving : [];
  const throughGateway = endpoints.filter((found) => !streamed.includes(found) && !throughWeb.includes(found));
  return { streamed, throughWeb, throughGateway };
}

/** The paths of the HTTP API that the CDN caches, and those of uploads. */
const edgeRoutes = ({ endpoint }: EndpointFunction): EdgeRoute[] =>
  routesOf(endpoint)
    .map(({ endpoint: { path, isEdgeCached: isCached, requestBodyMode } }) => {
      return { path, isCached, isUpload: requestBodyMode === 'streamed' };
    })
    .filter(({ isCached, isUpload }) => isCached || isUpload);

/** The routes that let a model reply, by the names of their functions' constructs. */
const modelRoutesOf = (endpoints: readonly EndpointFunction[]): ReadonlyMap<string, string> =>
  new Map(
    endpoints
      .filter(({ endpoint }) => endpoint.uses.includes('model:invoke'))
      .map(({ name, endpoint }) => [constructId(name), endpoint.path]),
  );

/** The address of the service does not exist yet, so the settings name it. */
function webRoute(declared: EndpointFunction, functions: ServiceFunctions, { domain }: Settings): EdgeRoute {
  const assetBaseUrl = `https://${domain?.name}`;
  return { path: declared.endpoint.path, host: functions.web(declared, assetBaseUrl).host };
}

/**
 * Gives a function an address that streams. It is public, because a signature of CloudFront would overwrite the
 * caller's `Authorization`. The function refuses requests that bypass the distribution.
 */
function streamFrom({ endpoint }: EndpointFunction, fn: ServiceFunction) {
  acknowledge(fn.lambda, 'synchronousFunction');
  const { url } = fn.lambda.addFunctionUrl({
    authType: lambda.FunctionUrlAuthType.NONE,
    invokeMode: lambda.InvokeMode.RESPONSE_STREAM,
  });
  const route: EdgeRoute = { path: endpoint.path, host: hostOf(url), isCached: endpoint.isEdgeCached };
  return { name: fn.node.id, route };
}

/**
 * Watches the cost of the account. AWS can split the cost by stack only by tags, which must be activated by hand.
 * @param amount USD a month
 * @param address gets a mail at four fifths of the amount, and when the forecast exceeds it
 */
function watchCost(scope: Construct, amount: number, address: string): void {
  const mailAt = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
    subscribers: [{ subscriptionType: 'EMAIL', address }],
  });
  new CfnBudget(scope, 'CostBudget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
    notificationsWithSubscribers: [mailAt('ACTUAL', 80), mailAt('FORECASTED', 100)],
  });
}
