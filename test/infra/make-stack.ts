import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { groupNames } from '#lib/endpoints.ts';
import { addChecks } from '#lib/infra/checks.ts';
import { readSettings } from '#lib/infra/read-settings.ts';
import { ServiceStack } from '#lib/infra/service-stack.ts';
import type { Choices, Declarations, MadeStack, PluginReport } from './synthesize.ts';

const { context: projectContext } = JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8'));

/**
 * Makes the stack as `cdk synth` does, with the project's feature flags, but with placeholders as bundles. Each
 * placeholder contains its function's name, so that a test can identify the code of a function.
 * @param isChecked runs the checks of `cdk synth`, which take most of its time
 */
function makeStack({ declarations: { endpoints, triggers }, choices, isChecked }: Order): MadeStack {
  const { stage = 'prod', concurrencyQuota, concurrencyRoom, ...file } = choices;
  const folder = mkdtempSync(join(tmpdir(), 'infra-test-'));
  try {
    const app = new App({
      context: projectContext,
      outdir: join(folder, 'cdk.out'),
      builtinCloudFormationValidation: isChecked,
    });
    const settings = readSettings(file, stage, { concurrencyQuota, concurrencyRoom });
    if (isChecked) addChecks(app);
    const names = [...endpoints, ...triggers].map(({ name }) => name).concat('route-unknown', groupNames);
    const bundles = names.map((name) => ({ name, folder: placeholder(join(folder, name), name) }));
    const { stackName, terminationProtection = false } = new ServiceStack(app, {
      endpoints,
      triggers,
      bundles,
      issuer: settings.issuer && addressesOf(settings.issuer.url),
      settings,
    });
    const { directory, stacks } = app.synth();
    return {
      stackName,
      terminationProtection,
      template: stacks[0]?.template,
      code: namesByAsset(directory),
      reports: isChecked ? reportsIn(directory) : [],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const reportsIn = (directory: string): PluginReport[] =>
  JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')).pluginReports;

/** The result of `discoverIssuer`. */
const addressesOf = (issuer: string) => ({
  issuer,
  authorizeUrl: `${issuer}/authorize`,
  tokenUrl: `${issuer}/token`,
  jwksUrl: `${issuer}/keys`,
  logoutUrl: `${issuer}/logout`,
});

function placeholder(folder: string, name: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.js'), name);
  return folder;
}

/** The names of the functions by the hashes of their code. */
function namesByAsset(directory: string): Record<string, string> {
  const assets = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'index.js')));
  return Object.fromEntries(
    assets.map((name) => [name.slice(6), readFileSync(join(directory, name, 'index.js'), 'utf8')]),
  );
}

interface Order {
  readonly id: number;
  readonly declarations: Declarations;
  readonly choices: Choices;
  readonly isChecked: boolean;
}

// A child process of the test run. It loads the CDK once for all stack variants of the tests.
process.on('message', (order: Order) => {
  const { id } = order;
  try {
    process.send?.({ id, made: makeStack(order) });
  } catch (error) {
    process.send?.({ id, failure: String(error instanceof Error ? error.message : error) });
  }
});
process.on('disconnect', () => process.exit(0));
