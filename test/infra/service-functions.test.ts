import { beforeAll, describe, expect, it } from '@jest/globals';
import { type EndpointFunction, findEndpoints, functionNames, routeTable } from '#lib/endpoints.ts';
import type { Use } from '#lib/http/endpoint.ts';
import { functionsByName, type Resource, resourcesOf, type Synthesis, synthesize, targetOf } from './synthesize.ts';

const ownLog = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const actionsOfUse: Partial<Record<Use, readonly string[]>> = {
  'table:read': ['dynamodb:BatchGetItem', 'dynamodb:Query'],
  'table:update': ['dynamodb:UpdateItem'],
  'table:rewrite': ['dynamodb:BatchWriteItem', 'dynamodb:PutItem'],
  'table:transact': ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
};

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

let endpoints: EndpointFunction[];
let service: Synthesis;

beforeAll(async () => {
  endpoints = await findEndpoints();
  service = synthesize(endpoints);
});

/** The actions that a function's role allows, by the logical id of the resource they are allowed on. */
function allowed(synthesis: Synthesis, fn: Resource): Record<string, string[]> {
  const role = new Map(resourcesOf(synthesis, 'AWS::IAM::Role')).get(targetOf(fn.Properties['Role'])) as Resource;
  expect(Object.keys(role.Properties)).toEqual(['AssumeRolePolicyDocument', 'Policies']);
  const policies = role.Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[];
  const statements = policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  return Object.fromEntries(
    statements.map(({ Effect, Action, Resource }) => {
      expect(Effect).toBe('Allow');
      expect(Resource).toEqual({ 'Fn::GetAtt': [targetOf(Resource), 'Arn'] });
      return [targetOf(Resource), [Action].flat()];
    }),
  );
}

/** The names of the functions behind each route key. */
function routedFunctions(synthesis: Synthesis): Record<string, string | undefined> {
  const integrations = new Map(resourcesOf(synthesis, 'AWS::ApiGatewayV2::Integration'));
  const names = new Map([...functionsByName(synthesis)].map(([name, { id }]) => [id, name]));
  const routes = resourcesOf(synthesis, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
    const integration = integrations.get(targetOf(Properties['Target']));
    return [Properties['RouteKey'], names.get(targetOf(integration?.Properties['IntegrationUri']))];
  });
  return Object.fromEntries(routes);
}

describe('functions', () => {
  it('are one for each folder of functions/', async () => {
    expect([...functionsByName(service).keys()].sort()).toEqual(await functionNames());
    service.template.resourceCountIs('AWS::Lambda::Function', (await functionNames()).length);
  });

  it('run on Node 24 and arm64, with the memory and time of their declarations', () => {
    for (const [name, { fn }] of functionsByName(service)) {
      const own = endpoints.find((endpoint) => endpoint.name === name)?.endpoint.lambda;
      expect(fn.Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: own?.memoryMegabytes ?? 512,
        Timeout: own?.timeoutSeconds ?? 10,
      });
      expect(fn.Properties['Timeout']).toBeLessThan(30);
    }
  });

  it('find the route table and the table in their environment, and nothing else', () => {
    const routes = JSON.stringify(routeTable(endpoints));
    for (const [name, { fn }] of functionsByName(service)) {
      const table = name === 'route-unknown' ? {} : { TABLE_NAME: { Ref: 'WorkspaceTable' } };
      expect(fn.Properties['Environment']).toEqual({ Variables: { ROUTES: routes, ...table } });
    }
    // Lambda takes 4 KB of environment altogether; the table's name needs the rest.
    expect(Buffer.byteLength(routes)).toBeLessThan(3800);
  });

  it('may do what their declarations say and write their own log, and nothing else', () => {
    for (const [name, { fn }] of functionsByName(service)) {
      const { LogGroup } = fn.Properties['LoggingConfig'] as { LogGroup: unknown };
      const uses = endpoints.find((endpoint) => endpoint.name === name)?.endpoint.uses ?? [];
      const onTable = [...new Set(uses.flatMap((use) => actionsOfUse[use] ?? []))].sort();
      expect({ name, allowed: allowed(service, fn) }).toEqual({
        name,
        allowed: { [targetOf(LogGroup)]: ownLog, ...(onTable.length > 0 && { WorkspaceTable: onTable }) },
      });
    }
  });

  it('have a role each, no other policies, and no wildcard among actions and resources', () => {
    service.template.resourceCountIs('AWS::IAM::Role', functionsByName(service).size);
    service.template.resourceCountIs('AWS::IAM::Policy', 0);
    service.template.resourceCountIs('AWS::IAM::ManagedPolicy', 0);
    for (const [, role] of resourcesOf(service, 'AWS::IAM::Role')) {
      expect(JSON.stringify(role.Properties['Policies'])).not.toContain('*');
    }
  });

  it('can be invoked by this API alone', () => {
    const [[api]] = resourcesOf(service, 'AWS::ApiGatewayV2::Api') as [[string, Resource]];
    service.template.resourceCountIs('AWS::Lambda::Url', 0);
    for (const [, { Properties }] of resourcesOf(service, 'AWS::Lambda::Permission')) {
      expect(Properties).toMatchObject({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' });
      expect(JSON.stringify(Properties['SourceArn'])).toContain(JSON.stringify({ Ref: api }));
    }
  });
});

describe('routes', () => {
  it('lead every declared method to its function, HEAD with GET, and all else to route-unknown', () => {
    const declared = endpoints.flatMap(({ name, endpoint: { methods, path } }) =>
      methods
        .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
        .map((method) => [`${method} ${path}`, name]),
    );
    expect(routedFunctions(service)).toEqual({ ...Object.fromEntries(declared), $default: 'route-unknown' });
  });

  it('send events of payload format 2.0', () => {
    for (const [, { Properties }] of resourcesOf(service, 'AWS::ApiGatewayV2::Integration')) {
      expect(Properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
    }
  });
});

describe('an endpoint that is added', () => {
  const added = (endpoint: Partial<EndpointFunction['endpoint']>): EndpointFunction => ({
    name: 'thing-read',
    folder: '',
    entry: '',
    endpoint: {
      methods: ['GET'],
      path: '/things/{rest+}',
      summary: 'Read a thing.',
      uses: [],
      ...endpoint,
    } as EndpointFunction['endpoint'],
  });

  it('gets its routes, settings and permissions from its declaration', () => {
    const lambda = { memoryMegabytes: 1024, timeoutSeconds: 20 };
    const uses = ['table:read', 'table:update', 'table:transact'] as const;
    const synthesis = synthesize([added({ lambda, uses })]);
    expect(routedFunctions(synthesis)).toEqual({
      'GET /things/{rest+}': 'thing-read',
      'HEAD /things/{rest+}': 'thing-read',
      $default: 'route-unknown',
    });
    const { fn } = functionsByName(synthesis).get('thing-read') as { fn: Resource };
    expect(fn.Properties).toMatchObject({ MemorySize: 1024, Timeout: 20, Description: 'Read a thing.' });
    expect(allowed(synthesis, fn)['WorkspaceTable']).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:ConditionCheckItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:UpdateItem',
    ]);
    expect(synthesis.reports.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('is refused when it uses what the stack has not', () => {
    expect(() => synthesize([added({ uses: ['files:read'] })])).toThrow('files:read');
  });

  it('is refused by the validation of CDK when its settings are none of Lambda', () => {
    const refused = /Timeout: 5000 exceeds maximum 900 .*\(CloudFormation Validate\)/;
    expect(() => synthesize([added({ lambda: { timeoutSeconds: 5000 } })])).toThrow(refused);
  });
});
