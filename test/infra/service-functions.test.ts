import { beforeAll, describe, expect, it } from '@jest/globals';
import { fallbackFunction, functionNames, routesNear, routeTable } from '#lib/endpoints.ts';
import { callersOf, routesOf } from '#lib/http/endpoint.ts';
import { encodeRoutes } from '#lib/http/router.ts';
import { isAllowed, roleOf, type Statement, statementsOfRole } from './statements.ts';
import {
  declared,
  functionsByName,
  type Resource,
  resourcesOf,
  type Synthesis,
  synthesize,
  targetOf,
  variablesOf,
} from './synthesize.ts';

let service: Synthesis;

beforeAll(async () => {
  service = await synthesize(declared);
});

const declarations = [
  ...declared.endpoints.map(({ name, endpoint }) => ({ name, ...endpoint, isEndpoint: true })),
  ...declared.triggers.map(({ name, trigger }) => ({ name, ...trigger, isEndpoint: false })),
];
const declarationOf = (name: string) => declarations.find((declaration) => declaration.name === name);

describe('functions', () => {
  it('are one for each folder of functions/', async () => {
    expect([...functionsByName(service).keys()].sort()).toEqual(await functionNames());
    // The additional function asks the service at its address.
    service.template.resourceCountIs('AWS::Lambda::Function', (await functionNames()).length + 1);
  });

  it('run on Node 24 and arm64, with the memory and time of their declarations', () => {
    for (const [name, { fn }] of functionsByName(service)) {
      const own = declarationOf(name)?.lambda;
      expect(fn.Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: own?.memoryMegabytes ?? 512,
        Timeout: own?.timeoutSeconds ?? 10,
      });
    }
  });

  it('end before the gateway gives up, where they are behind it', () => {
    for (const { name } of declared.endpoints.filter(({ endpoint }) => endpoint.responseMode !== 'streamed')) {
      expect(functionsByName(service).get(name)?.fn.Properties['Timeout']).toBeLessThan(30);
    }
  });

  it('have the names of their resources in their environment, and no secret', () => {
    const ofIssuer = ['ISSUER', 'AUTHORIZE_URL', 'TOKEN_URL', 'JWKS_URL', 'LOGOUT_URL', 'CLIENT_ID'].map(
      (name) => `OIDC_${name}`,
    );
    const linking = new Set(['files:write', 'files:link', 'table:media']);
    const routes = encodeRoutes(routeTable(declared.endpoints));
    const hasRoutes = (name: string): boolean => {
      const own = declared.endpoints.filter((found) => found.name === name);
      return name === fallbackFunction || routesNear(own, declared.endpoints).length > 0;
    };
    // A function behind a function URL does not know the address of the service.
    const takersOfSessions = declared.endpoints
      .filter(({ endpoint }) => callersOf(endpoint).includes('session') && endpoint.responseMode !== 'streamed')
      .map(({ name }) => name);
    for (const [name, { fn }] of functionsByName(service)) {
      const { uses = [], isEndpoint = true } = declarationOf(name) ?? {};
      const knowsAddress = takersOfSessions.includes(name);
      const needed = [
        'NODE_OPTIONS',
        'METRIC_NAMESPACE',
        'ROUTE_METRICS',
        ...(isEndpoint ? ['ORIGIN_SECRET_ARN'] : []),
        ...(isEndpoint || uses.includes('webhooks:send') ? ['SIGNING_SECRET_ARN'] : []),
        ...(hasRoutes(name) ? ['ROUTES'] : []),
        ...(uses.some((use) => use.startsWith('table:')) ? ['TABLE_NAME'] : []),
        ...(uses.some((use) => use.startsWith('files:') && use !== 'files:link') ? ['FILES_BUCKET'] : []),
        ...(uses.some((use) => (isEndpoint ? linking.has(use) : use === 'files:link')) ? ['ASSET_BASE_URL'] : []),
        ...(uses.includes('model:invoke') ? ['AI_MODEL'] : []),
        ...(knowsAddress || uses.some((use) => use.startsWith('identity:')) ? ['PUBLIC_URL'] : []),
        ...(uses.includes('identity:sign-in') ? ofIssuer : []),
        ...(uses.includes('identity:invite') ? ['USER_POOL_ID'] : []),
      ];
      const variables = variablesOf(fn);
      expect({ name, variables: Object.keys(variables).sort() }).toEqual({ name, variables: needed.sort() });
      if (name === fallbackFunction) expect(variables['ROUTES']).toBe(routes);
      expect(JSON.stringify(variables)).not.toContain('{{resolve:');
    }
    // Lambda limits the environment to 4 KB in total, and names and addresses need the rest.
    expect(Buffer.byteLength(routes)).toBeLessThan(2_000);
  });

  it('have a role each, no other policies, and no wildcard among actions', () => {
    const roles = [...functionsByName(service).values()].map(({ fn }) => targetOf(fn.Properties['Role']));
    expect(new Set(roles).size).toBe(functionsByName(service).size);
    // The additional roles belong to the gateway and the canary.
    service.template.resourceCountIs('AWS::IAM::Role', roles.length + 2);
    service.template.resourceCountIs('AWS::IAM::Policy', 0);
    service.template.resourceCountIs('AWS::IAM::ManagedPolicy', 0);
    for (const { fn } of functionsByName(service).values()) {
      const allowed = roleOf(service, fn).filter(({ effect }) => effect === 'Allow');
      for (const action of allowed.flatMap(({ actions }) => actions)) expect(action).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/);
    }
  });

  it('that follow the table are two, as many as DynamoDB serves at a shard, with the five filters that Lambda takes', () => {
    const followers = resourcesOf(service, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
    expect(followers.length).toBeLessThanOrEqual(2);
    for (const { FilterCriteria } of followers) {
      expect((FilterCriteria as { Filters: unknown[] }).Filters.length).toBeLessThanOrEqual(5);
    }
  });

  it('that answer requests read the secrets of the origin and of signatures, and one that signs webhooks the latter', () => {
    const secrets = resourcesOf(service, 'AWS::SecretsManager::Secret').map(([name]) => name);
    expect(secrets).toHaveLength(2);
    const signing = secrets.filter((name) => name.startsWith('SigningSecret'));
    expect(signing).toHaveLength(1);
    for (const [name, { fn }] of functionsByName(service)) {
      const { isEndpoint = true, uses = [] } = declarationOf(name) ?? {};
      for (const resource of secrets) {
        const call = { action: 'secretsmanager:GetSecretValue', resource };
        const mayRead = isEndpoint || (uses.includes('webhooks:send') && signing.includes(resource));
        expect([name, isAllowed(roleOf(service, fn), call)]).toEqual([name, mayRead]);
      }
    }
  });

  it('behind the gateway are invoked by one role, which may do nothing else and which nothing else may be', () => {
    const integrations = resourcesOf(service, 'AWS::ApiGatewayV2::Integration').map(([, { Properties }]) => Properties);
    const invoked = integrations.map(({ IntegrationUri }) => targetOf(IntegrationUri));
    const roles = new Set(integrations.map(({ CredentialsArn }) => targetOf(CredentialsArn)));
    expect(roles.size).toBe(1);
    const role = new Map(resourcesOf(service, 'AWS::IAM::Role')).get([...roles].join()) as Resource;
    const [{ resources, ...statement }, ...others] = statementsOfRole(role) as [Statement];
    expect([statement, ...others]).toMatchObject([{ effect: 'Allow', actions: ['lambda:InvokeFunction'] }]);
    expect([...resources].sort()).toEqual(invoked.sort());
    expect(role.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } }],
    });
    const permissions = resourcesOf(service, 'AWS::Lambda::Permission').map(([, { Properties }]) => Properties);
    expect(permissions.filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')).toEqual([]);
  });

  it('behind the gateway have room in the policy of that role: IAM takes 10,240 characters', () => {
    const region = 'ap-southeast-1';
    const fn = 'F'.repeat(64);
    const invoked = resourcesOf(service, 'AWS::ApiGatewayV2::Integration').length;
    const arns = Array.from({ length: invoked }, () => `arn:aws:lambda:${region}:111122223333:function:${fn}`);
    expect(JSON.stringify(arns).length + 200).toBeLessThan(10_240);
  });
});

describe('routes', () => {
  /** The names of the functions by route key. */
  const routedFunctions = (synthesis: Synthesis): Record<string, string | undefined> => {
    const integrations = new Map(resourcesOf(synthesis, 'AWS::ApiGatewayV2::Integration'));
    const names = new Map([...functionsByName(synthesis)].map(([name, { id }]) => [id, name]));
    const routes = resourcesOf(synthesis, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const integration = integrations.get(targetOf(Properties['Target']));
      return [Properties['RouteKey'], names.get(targetOf(integration?.Properties['IntegrationUri']))];
    });
    return Object.fromEntries(routes);
  };

  it('lead every declared method to its function, with ANY for GET and HEAD, and all other requests to route-unknown', () => {
    const routed = declared.endpoints
      .filter(({ endpoint }) => endpoint.responseMode !== 'streamed')
      .flatMap(({ name, endpoint: declaration }) =>
        routesOf(declaration).flatMap(({ gatewayPath, endpoint: { methods, refusesHead } }) =>
          methods.map((method) => [`${method === 'GET' && !refusesHead ? 'ANY' : method} ${gatewayPath}`, name]),
        ),
      );
    expect(routedFunctions(service)).toEqual({ ...Object.fromEntries(routed), $default: 'route-unknown' });
  });

  it('send events of payload format 2.0', () => {
    for (const [, { Properties }] of resourcesOf(service, 'AWS::ApiGatewayV2::Integration')) {
      expect(Properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
  });
});
