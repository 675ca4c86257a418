import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { type AccountLimit, GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { namedSettings, readSettings, readSettingsFile, SettingFaults } from './read-settings.ts';
import { settingsEntry, stackName } from './service-stack.ts';
import type { SettingsFile } from './settings.ts';

export const usage = `Usage: npm run deploy -- [STAGE] [--drop SETTING]... [-- OPTIONS]
  STAGE           deploys what .settings/STAGE.json says (default prod)
  --drop SETTING  agrees that a deployed setting is gone from the file; may be given several times
  OPTIONS         go to cdk deploy, such as --require-approval never
`;

/**
 * Deploys a stage, unless the file lacks a setting with which it is deployed.
 * @returns the exit code of the CDK's command line
 * @throws SettingFaults
 */
export async function deploy(args: readonly string[], note: (line: string) => void): Promise<number> {
  const { stage, drop, options } = readArguments(args);
  const file = readSettingsFile(stage);
  readSettings(file, stage);
  const deployed = await deployedTemplate(stackName(stage));
  const { lines, faults } = compareSettings(deployed?.Metadata?.[settingsEntry], file as SettingsFile, drop);
  if (faults.length > 0) throw new SettingFaults(faults);
  for (const line of lines) note(line);
  const found = await new LambdaClient({}).send(new GetAccountSettingsCommand({})).catch(({ message }: Error) => {
    note(`The quota of concurrent executions cannot be read, so nothing is reserved of it: ${message}`);
  });
  const limits = concurrencyOf(found?.AccountLimit, deployed);
  for (const [name, count] of Object.entries(limits)) note(`${name}: ${count} functions at once, in this region.`);
  const context = [`stage=${stage}`, ...Object.entries(limits).map(([name, count]) => `${name}=${count}`)];
  return runCdk(['deploy', ...context.flatMap((value) => ['--context', value]), ...options]);
}

function readArguments(args: readonly string[]) {
  const end = args.indexOf('--');
  const { values, positionals } = parseArgs({
    args: args.slice(0, end < 0 ? undefined : end),
    options: { drop: { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const [stage = 'prod', ...more] = positionals;
  if (more.length > 0) throw new SettingFaults([`Unexpected argument: ${more.join(' ')}.`, usage]);
  return { stage, drop: values.drop, options: end < 0 ? [] : args.slice(end + 1) };
}

interface DeployedTemplate {
  readonly Metadata?: { readonly [settingsEntry]?: SettingsFile };
  readonly Resources?: Readonly<
    Record<string, { readonly Properties?: { readonly ReservedConcurrentExecutions?: number } }>
  >;
}

/** @returns undefined if there is no such stack */
async function deployedTemplate(StackName: string): Promise<DeployedTemplate | undefined> {
  try {
    const { TemplateBody = '{}' } = await new CloudFormationClient({}).send(new GetTemplateCommand({ StackName }));
    return JSON.parse(TemplateBody);
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw new SettingFaults([`The stack ${StackName} cannot be read: ${(error as Error).message}`]);
  }
}

/** The quota of the account, and what other stacks leave of it: what they have not reserved, and this one has. */
export function concurrencyOf(
  limit: AccountLimit | undefined,
  deployed: DeployedTemplate | undefined,
): Readonly<Record<string, number>> {
  const { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved } = limit ?? {};
  if (quota === undefined) return {};
  const own = Object.values(deployed?.Resources ?? {}).map(
    ({ Properties }) => Properties?.ReservedConcurrentExecutions ?? 0,
  );
  const reserved = own.reduce((sum, count) => sum + count, 0);
  return {
    concurrencyQuota: quota,
    ...(unreserved !== undefined && { concurrencyRoom: Math.min(quota, unreserved + reserved) }),
  };
}

/** @param drop the settings that the caller agrees to lose; `domain` includes `domain.name` */
export function compareSettings(deployed: SettingsFile | undefined, file: SettingsFile, drop: readonly string[]) {
  const before = namedSettings(deployed ?? {});
  const after = namedSettings(file);
  const isAgreed = (name: string) => drop.some((agreed) => name === agreed || name.startsWith(`${agreed}.`));
  const gone = [...before.keys()].filter((name) => !after.has(name));
  const idle = drop.filter((agreed) => !gone.some((name) => name === agreed || name.startsWith(`${agreed}.`)));
  const text = (value: unknown) => JSON.stringify(value);
  return {
    faults: [
      ...gone
        .filter((name) => !isAgreed(name))
        .map(
          (name) =>
            `${name} is deployed as ${text(before.get(name))} and is not in the file. Add it, or give --drop ${name}.`,
        ),
      ...idle.map((name) => `--drop ${name} drops nothing.`),
    ],
    lines: [
      ...gone.map((name) => `- ${name}: ${text(before.get(name))}`),
      ...[...after]
        .filter(([name, value]) => text(value) !== text(before.get(name)))
        .map(([name, value]) => `${before.has(name) ? '~' : '+'} ${name}: ${text(value)}`),
    ],
  };
}

async function runCdk(args: readonly string[]): Promise<number> {
  const project = join(import.meta.dirname, '../..');
  const child = spawn(join(project, 'node_modules/.bin/cdk'), args, { cwd: project, stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code ?? 1;
}
