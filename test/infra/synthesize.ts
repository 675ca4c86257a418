import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type EndpointFunction, findEndpoints, findTriggers, type TriggeredFunction } from '#lib/endpoints.ts';
import { addChecks } from '#lib/infra/checks.ts';
import { readSettings } from '#lib/infra/read-settings.ts';
import { ServiceStack } from '#lib/infra/service-stack.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** What CDK and the rule packs say about the stack. */
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

/** What functions/ declares. */
export const declared: Declarations = { endpoints: await findEndpoints(), triggers: await findTriggers() };

const { context: projectContext } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

/**
 * Makes the stack as `cdk synth` does, with the project's feature flags, from placeholders in place of bundles: each
 * holds its function's name, so that a test can tell which code a function got.
 */
export function synthesize({ endpoints, triggers }: Declarations, choices: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'infra-test-'));
  try {
    const app = new App({ context: { ...projectContext, ...choices }, outdir: join(folder, 'cdk.out') });
    const settings = readSettings(app.node.getAllContext());
    if ('faults' in settings) throw new Error(settings.faults.join(' '));
    addChecks(app);
    const names = [...endpoints, ...triggers].map(({ name }) => name).concat('route-unknown');
    const bundles = names.map((name) => ({ name, folder: placeholder(join(folder, name), name) }));
    const { stackName } = new ServiceStack(app, { endpoints, triggers, bundles, settings });
    const { directory, stacks } = app.synth();
    const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    return {
      stackName,
      template: Template.fromJSON(stacks[0]?.template),
      code: namesByAsset(directory),
      reports: pluginReports as PluginReport[],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type Synthesis = ReturnType<typeof synthesize>;

function placeholder(folder: string, name: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.js'), name);
  return folder;
}

/** The names of the functions by the hashes of their code. */
function namesByAsset(directory: string): Map<string, string> {
  const assets = readdirSync(directory).filter((name) => name.startsWith('asset.'));
  return new Map(assets.map((name) => [name.slice(6), readFileSync(join(directory, name, 'index.js'), 'utf8')]));
}

export const resourcesOf = ({ template }: Pick<Synthesis, 'template'>, type: string): [string, Resource][] =>
  Object.entries(template.findResources(type) as Record<string, Resource>);

/** The functions of the template by the names of their folders. */
export function functionsByName(synthesis: Synthesis): Map<string, { readonly id: string; readonly fn: Resource }> {
  const functions = resourcesOf(synthesis, 'AWS::Lambda::Function').map(([id, fn]) => {
    const { S3Key } = fn.Properties['Code'] as { S3Key: string };
    return [synthesis.code.get(S3Key.replace('.zip', '')) ?? S3Key, { id, fn }] as const;
  });
  return new Map(functions);
}

/** The logical id that a `Ref`, a `GetAtt` or a route's target points to. */
export function targetOf(value: unknown): string {
  const [, id] = JSON.stringify(value).match(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/) ?? [];
  if (id === undefined) throw new Error(`${JSON.stringify(value)} points to nothing.`);
  return id;
}

export const variablesOf = ({ Properties }: Resource): Record<string, unknown> =>
  (Properties['Environment'] as { Variables: Record<string, unknown> } | undefined)?.Variables ?? {};
