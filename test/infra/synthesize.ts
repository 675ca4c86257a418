import { type EndpointFunction, findEndpoints, findTriggers, type TriggeredFunction } from '#lib/endpoints.ts';
import type { SettingsFile } from '#lib/infra/settings.ts';
import { Template } from './template.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** The messages of CDK and the rule packs about the stack. */
export interface PluginReport {
  readonly pluginName: string;
  readonly violations: readonly { readonly ruleName: string }[];
  readonly suppressedViolations?: readonly {
    readonly ruleName: string;
    readonly reason: string;
    readonly violatingConstructs: readonly { readonly constructPath: string }[];
  }[];
}

export interface Declarations {
  readonly endpoints: readonly EndpointFunction[];
  readonly triggers: readonly TriggeredFunction[];
}

/** Settings, beside what the command line names. */
export interface Choices extends SettingsFile {
  readonly stage?: string;
  readonly concurrencyQuota?: number;
  readonly concurrencyRoom?: number;
}

/** The result of make-stack.ts for declarations and settings. */
export interface MadeStack {
  readonly stackName: string;
  readonly terminationProtection: boolean;
  readonly template: object;
  /** The names of the functions by the hashes of their code. */
  readonly code: Readonly<Record<string, string>>;
  /** Empty without checks. */
  readonly reports: readonly PluginReport[];
}

export interface Synthesis extends Omit<MadeStack, 'template' | 'reports'> {
  readonly template: Template;
}

/** The declarations of functions/. */
export const declared: Declarations = { endpoints: await findEndpoints(), triggers: await findTriggers() };

/** The members of a declaration that cannot be serialized. The stack does not read them. */
const schemas = new Set(['query', 'body', 'response']);

async function make(declarations: Declarations, choices: Choices, isChecked: boolean): Promise<MadeStack> {
  const order = { declarations, choices, isChecked };
  const body = JSON.stringify(order, (name, value) => (schemas.has(name) ? undefined : value));
  const response = await fetch(`${process.env['RUN_SERVER']}/stack`, { method: 'POST', body });
  const { made, failure } = (await response.json()) as { made?: MadeStack; failure?: string };
  if (!made) throw new Error(failure);
  return made;
}

/** The stack of `cdk synth` without its checks, with placeholders as bundles. @throws the errors of the synthesis */
export async function synthesize(declarations: Declarations, choices: Choices = {}): Promise<Synthesis> {
  const made = await make(declarations, choices, false);
  return { ...made, template: new Template(made.template) };
}

/** The reports of the checks of `cdk synth`. @throws the errors of the synthesis, and what CDK's validation refuses */
export async function reportsOf(declarations: Declarations, choices: Choices): Promise<readonly PluginReport[]> {
  return (await make(declarations, choices, true)).reports;
}

export const resourcesOf = ({ template }: Pick<Synthesis, 'template'>, type: string): [string, Resource][] =>
  Object.entries(template.findResources(type));

/** The functions of the template by the names of their folders. */
export function functionsByName(synthesis: Synthesis): Map<string, { readonly id: string; readonly fn: Resource }> {
  const functions = resourcesOf(synthesis, 'AWS::Lambda::Function').flatMap(([id, fn]) => {
    const { S3Key } = fn.Properties['Code'] as { S3Key: string };
    const name = synthesis.code[S3Key.replace('.zip', '')] ?? S3Key;
    // The stack's own, which asks it at its address.
    return id.startsWith('OperationsCanary') ? [] : [[name, { id, fn }] as const];
  });
  return new Map(functions);
}

/** The logical id in a `Ref`, a `GetAtt` or a route's target. */
export function targetOf(value: unknown): string {
  const [, id] = JSON.stringify(value).match(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/) ?? [];
  if (id === undefined) throw new Error(`${JSON.stringify(value)} points to nothing.`);
  return id;
}

export const variablesOf = ({ Properties }: Resource): Record<string, unknown> =>
  (Properties['Environment'] as { Variables: Record<string, unknown> } | undefined)?.Variables ?? {};
