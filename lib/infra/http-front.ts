import { Aws, Fn, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import * as gateway from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { constructId, type EndpointFunction, gatewayRoutes } from '#lib/endpoints.ts';
import { acknowledge } from './acknowledgements.ts';
import { hostOf } from './edge.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Settings } from './settings.ts';

export type HttpFrontProps = Pick<Settings, 'logRetentionDays' | 'removalPolicy' | 'requestsPerSecond'>;

/** The HTTP API: invokes the function of each route. */
export class HttpFront extends Construct {
  /** The host name of the API. */
  readonly host: string;
  readonly accessLog: LogGroup;
  readonly api: gateway.HttpApi;
  readonly #invoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
  readonly #invoker: gateway.IntegrationCredentials;
  readonly #integrations = new Map<string, gateway.HttpRouteIntegration>();

  constructor(scope: Construct, id: string, props: HttpFrontProps) {
    super(scope, id);
    const apiName = Stack.of(this).stackName;
    this.api = new gateway.HttpApi(this, 'Api', { apiName, createDefaultStage: false });
    this.accessLog = this.#makeAccessLog(props);
    new gateway.HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: props.requestsPerSecond, burstLimit: 2 * props.requestsPerSecond },
      accessLogSettings: { destination: new gateway.LogGroupLogDestination(this.accessLog), format: accessLogFormat },
    });
    this.#invoker = gateway.IntegrationCredentials.fromRole(invokerRole(this, this.#invoke));
    this.host = hostOf(this.api.apiEndpoint);
  }

  /** Sends the requests of an endpoint's paths and methods to its function. */
  route(declared: EndpointFunction, target: ServiceFunction): void {
    const integration = this.#integrate(target);
    for (const { id, path, method } of gatewayRoutes(declared)) {
      const [name = '', ...rest] = id;
      const routed = gateway.HttpMethod[method];
      this.#add([constructId(name), ...rest].join('-'), gateway.HttpRouteKey.with(path, routed), integration);
    }
  }

  /** Sends requests that match no route to this function. */
  routeRest(target: ServiceFunction): void {
    this.#add('Rest', gateway.HttpRouteKey.DEFAULT, this.#integrate(target));
  }

  #integrate({ lambda, node }: ServiceFunction): gateway.HttpRouteIntegration {
    const made = this.#integrations.get(node.id);
    if (made) return made;
    acknowledge(lambda, 'synchronousFunction');
    this.#invoke.addResources(lambda.functionArn);
    const integration = new InvokedByRole(node.id, lambda, this.#invoker);
    this.#integrations.set(node.id, integration);
    return integration;
  }

  #add(id: string, routeKey: gateway.HttpRouteKey, integration: gateway.HttpRouteIntegration): void {
    acknowledge(new gateway.HttpRoute(this, id, { httpApi: this.api, routeKey, integration }), 'route');
  }

  /**
   * API Gateway adds log groups with other names to a resource policy of the account. The policy has space for a few
   * dozen. The name contains the id of the stack, so that a deleted stack's log does not block the next one.
   */
  #makeAccessLog({ logRetentionDays: retention, removalPolicy }: HttpFrontProps): LogGroup {
    const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const logGroupName = Fn.join('/', ['/aws/vendedlogs/http-api', Aws.STACK_NAME, stackUuid]);
    return new LogGroup(this, 'AccessLog', { logGroupName, retention, removalPolicy });
  }
}

/**
 * The role with which API Gateway invokes all functions, and nothing else. One permission per function would be one
 * resource each, and a stack has at most 500.
 */
const invokerRole = (scope: Construct, invoke: PolicyStatement): Role =>
  new Role(scope, 'Invoker', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: { Invoke: new PolicyDocument({ statements: [invoke] }) },
  });

/** One for all routes of a function. */
class InvokedByRole extends HttpLambdaIntegration {
  readonly #credentials: gateway.IntegrationCredentials;

  constructor(id: string, lambda: LambdaFunction, credentials: gateway.IntegrationCredentials) {
    super(id, lambda);
    this.#credentials = credentials;
  }

  override bind(options: gateway.HttpRouteIntegrationBindOptions): gateway.HttpRouteIntegrationConfig {
    return { ...super.bind(options), credentials: this.#credentials };
  }

  /** Adds no permission to the function. */
  protected override completeBind(): void {}
}

/**
 * It omits the query and headers, which may contain keys, and the caller's address, which is personal data.
 * `functionRequestId` is the `x-request-id` of the answer.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    requestId: '$context.requestId',
    functionRequestId: '$context.integration.requestId',
    route: '$context.routeKey',
    method: '$context.httpMethod',
    status: '$context.status',
    functionStatus: '$context.integration.status',
    responseBytes: '$context.responseLength',
    milliseconds: '$context.responseLatency',
    functionMilliseconds: '$context.integration.latency',
    error: '$context.error.message',
    functionError: '$context.integration.error',
  }),
);
