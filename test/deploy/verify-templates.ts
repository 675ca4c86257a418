import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { regionFaults, regions } from '#lib/infra/regions.ts';
import type { SettingsFile } from '#lib/infra/settings.ts';
import { everySetting } from '#test/infra/every-setting.ts';
import { run } from '#test/support/run.ts';
import { step, verifyWithPython } from '#test/support/verification.ts';

// Validates the templates of `cdk synth` against CloudFormation's schemas, with cfn-lint. The exceptions and their
// reasons are in cfn-lint.yaml beside this file.

const project = fileURLToPath(new URL('../..', import.meta.url));
const config = fileURLToPath(new URL('./cfn-lint.yaml', import.meta.url));

/** Backups need a bucket with versions, and `destroy` has none. The others are not in every region. */
const { backupDays, backupCopyVaultArn, mail, monthlyBudget, ...elsewhere } = everySetting;

/** The stack without settings, and with as many settings as can be combined. */
const variants: Readonly<Record<string, SettingsFile>> = {
  prod: {},
  full: everySetting,
  lite: { ...elsewhere, uploads: 'api', userPoolPlan: 'lite', removalPolicy: 'destroy' },
};

process.exitCode = await verifyWithPython({
  tools: 'cfn-lint',
  async verify(folder, programs) {
    for (const [stage, settings] of Object.entries(variants)) {
      const output = join(folder, stage);
      await writeFile(join(folder, `${stage}.json`), JSON.stringify(settings));
      await step(`cdk synth, ${stage}`, () => synthesize(output, [`stage=${stage}`, `settings=${folder}`]));
      const there = Object.keys(regions).filter((region) => regionFaults(region, settings).length === 0);
      const options = ['--config-file', config, '--regions', ...there, '--template', join(output, '*.template.json')];
      await step(`cfn-lint, ${stage} in ${there.length} regions`, () => run(join(programs, 'cfn-lint'), options));
    }
    console.log('\nVerified: cfn-lint has no complaints.');
  },
});

function synthesize(output: string, context: readonly string[]): Promise<string> {
  const options = context.flatMap((value) => ['--context', value]);
  return run(join(project, 'node_modules/.bin/cdk'), ['synth', '--quiet', '--output', output, ...options], {
    cwd: project,
  });
}
