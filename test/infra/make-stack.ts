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
 */
function makeStack(
  { endpoints, triggers }: Declarations,
  { stage = 'prod', concurrencyQuota, concurrencyRoom, ...file }: Choices,
): MadeStack {
  const folder = mkdtempSync(join(tmpdir(), 'infra-test-'));
  try {
    const app = new App({ context: projectContext, outdir: join(folder, 'cdk.out') });
    const settings = readSettings(file, stage, { concurrencyQuota, concurrencyRoom });
    addChecks(app);
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
    const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    return {
      stackName,
      terminationProtection,
      template: stacks[0]?.template,
      code: namesByAsset(directory),
      reports: pluginReports as PluginReport[],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
}

// A child process of the test run. It loads the CDK once for all stack variants of the tests.
process.on('message', ({ id, declarations, choices }: Order) => {
  try {
    process.send?.({ id, made: makeStack(declarations, choices) });
  } catch (error) {
    process.send?.({ id, failure: String(error instanceof Error ? error.message : error) });
  }
});
process.on('disconnect', () => process.exit(0));
