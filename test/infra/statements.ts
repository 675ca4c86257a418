import { type Resource, resourcesOf, type Synthesis, targetOf } from './synthesize.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

/** The actions that a function's role allows, by what they are allowed on: a logical id, or text around one. */
export function allowed(synthesis: Synthesis, fn: Resource): Record<string, string[]> {
  const role = new Map(resourcesOf(synthesis, 'AWS::IAM::Role')).get(targetOf(fn.Properties['Role']));
  if (!role) throw new Error('The function has no role of this stack.');
  const others = Object.keys(role.Properties).filter(
    (name) => !['AssumeRolePolicyDocument', 'Policies'].includes(name),
  );
  if (others.length > 0) throw new Error(`The role has ${others} besides its own policy.`);
  const policies = role.Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[];
  const pairs = policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(({ Effect, Action, Resource }) => {
      if (Effect !== 'Allow') throw new Error(`A role has a statement of effect ${Effect}.`);
      return [Resource].flat().map((resource) => [textOf(resource), [Action].flat()] as const);
    });
  const byResource: Record<string, string[]> = {};
  for (const [resource, actions] of pairs) {
    byResource[resource] = [...new Set([...(byResource[resource] ?? []), ...actions])].sort();
  }
  return byResource;
}

/** An ARN in a template as a person would write it: `WorkspaceTable`, `WorkspaceBucket/workspaces/*`. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[kind, content]] = Object.entries(value as Record<string, unknown>) as [[string, unknown]];
  if (kind === 'Ref') return String(content);
  if (kind === 'Fn::GetAtt') {
    const [id, attribute] = content as [string, string];
    return attribute === 'Arn' ? id : `${id}.${attribute}`;
  }
  if (kind === 'Fn::Join') return (content as [string, unknown[]])[1].map(textOf).join((content as [string])[0]);
  throw new Error(`${JSON.stringify(value)} is no address.`);
}

/** The part of what a role allows that is there because its function follows the stream. */
export const streamAccess = (allowedActions: Record<string, string[]>) =>
  Object.fromEntries(
    Object.entries(allowedActions).filter(
      ([resource]) => resource === '*' || resource.endsWith('.StreamArn') || resource.includes('DeadLetters'),
    ),
  );
