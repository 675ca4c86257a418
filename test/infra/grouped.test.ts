import { beforeAll, describe, expect, it } from '@jest/globals';
import { gatewayRoutes, groupNames, groupOf } from '#lib/endpoints.ts';
import { serviceChoices } from './choices.ts';
import { isAllowed, roleOf } from './statements.ts';
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

let single: Synthesis;
let grouped: Synthesis;
beforeAll(async () => {
  single = await synthesize(declared);
  grouped = await synthesize(declared, serviceChoices.grouped);
});

const fnOf = (synthesis: Synthesis, name: string) => functionsByName(synthesis).get(name)?.fn as Resource;
const throughGateway = declared.endpoints.filter(({ endpoint }) => endpoint.responseMode !== 'streamed');
const membersOf = (group: string) => declared.endpoints.filter(({ name }) => groupOf(name) === group);

/** The name of the function behind each route of the gateway. */
function targetsOf(synthesis: Synthesis): Map<string, string> {
  const integrations = new Map(resourcesOf(synthesis, 'AWS::ApiGatewayV2::Integration'));
  const names = new Map([...functionsByName(synthesis)].map(([name, { id }]) => [id, name]));
  return new Map(
    resourcesOf(synthesis, 'AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
      const integration = integrations.get(targetOf(Properties['Target'])) as Resource;
      const target = names.get(targetOf(integration.Properties['IntegrationUri'])) ?? '';
      return [String(Properties['RouteKey']), target];
    }),
  );
}

describe('Grouped functions', () => {
  it('are seven for all that the gateway leads to, beside those with a URL and those that no request starts', () => {
    const alone = [...declared.endpoints, ...declared.triggers]
      .map(({ name }) => name)
      .filter((name) => !groupOf(name));
    expect([...functionsByName(grouped).keys()].sort()).toEqual([...groupNames, ...alone].sort());
    expect(groupNames).toHaveLength(7);
    expect(alone.length).toBe(declared.endpoints.length - throughGateway.length + declared.triggers.length);
  });

  it('take the requests of the same routes, which stay the same resources when the setting changes', () => {
    const ids = (synthesis: Synthesis) =>
      resourcesOf(synthesis, 'AWS::ApiGatewayV2::Route').map(
        ([id, { Properties }]) => `${id} ${Properties['RouteKey']}`,
      );
    expect(ids(grouped).sort()).toEqual(ids(single).sort());
    const targets = targetsOf(grouped);
    expect(targets.get('$default')).toBe('pages');
    for (const found of throughGateway) {
      for (const { method, path } of gatewayRoutes(found)) {
        expect([path, targets.get(`${method} ${path}`)]).toEqual([path, groupOf(found.name)]);
        expect([path, targetsOf(single).get(`${method} ${path}`)]).toEqual([path, found.name]);
      }
    }
  });

  it.each(groupNames)('have the rights of all their endpoints and no action besides: %s', (group) => {
    const actionsOf = (synthesis: Synthesis, name: string) =>
      roleOf(synthesis, fnOf(synthesis, name))
        .filter(({ effect }) => effect === 'Allow')
        .flatMap(({ actions }) => actions);
    const members = membersOf(group);
    const all = members.flatMap(({ name }) => actionsOf(single, name));
    expect(new Set(actionsOf(grouped, group))).toEqual(new Set(all));
  });

  it('let only access and sessions write keys and members, as single functions of theirs do', () => {
    const write = (pk: string) => ({
      action: 'dynamodb:PutItem',
      resource: 'WorkspaceTable',
      context: { 'dynamodb:LeadingKeys': [pk] },
    });
    const writersOf = (pk: string) =>
      groupNames.filter((group) => isAllowed(roleOf(grouped, fnOf(grouped, group)), write(pk)));
    expect(writersOf('KEY#1')).toEqual(['access', 'session']);
    expect(writersOf('ACCESS#ws_1#member')).toEqual(['access', 'session']);
    expect(writersOf('SESSION#1')).toEqual(['session']);
  });

  it.each(groupNames)('have the time and memory that one of their endpoints needs most: %s', (group) => {
    const most = (name: string) =>
      Math.max(...membersOf(group).map((member) => Number(fnOf(single, member.name).Properties[name])));
    const { Timeout, MemorySize } = fnOf(grouped, group).Properties;
    expect([Timeout, MemorySize]).toEqual([most('Timeout'), most('MemorySize')]);
  });

  it('fit the environment of Lambda, with every setting too', async () => {
    const full = await synthesize(declared, serviceChoices.groupedWithEverything);
    for (const [name, { fn }] of functionsByName(full)) {
      expect([name, Buffer.byteLength(JSON.stringify(variablesOf(fn)))]).toEqual([name, expect.any(Number)]);
      expect(Buffer.byteLength(JSON.stringify(variablesOf(fn)))).toBeLessThan(3_500);
    }
    const resources = ({ template }: Synthesis) => Object.keys(template.toJSON().Resources).length;
    expect(resources(grouped)).toBeLessThan(resources(single));
  });
});
