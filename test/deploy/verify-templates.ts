import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SettingsFile } from '#lib/infra/settings.ts';
import { everySetting } from '#test/infra/every-setting.ts';
import { run } from '#test/support/run.ts';
import { step, verifyWithPython } from '#test/support/verification.ts';

// Validates the templates of `cdk synth` against CloudFormation's schemas, with cfn-lint. The exceptions and their
// reasons are in cfn-lint.yaml beside this file.

const project = fileURLToPath(new URL('../..', import.meta.url));
const config = fileURLToPath(new URL('./cfn-lint.yaml', import.meta.url));

/** Backups need a bucket with versions, and `destroy` has none. */
const { backupDays: _, ...withoutBackups } = everySetting;

/** The stack without settings, and with as many settings as can be combined. */
const variants: Readonly<Record<string, SettingsFile>> = {
  prod: {},
  full: everySetting,
  lite: { ...withoutBackups, uploads: 'api', userPoolPlan: 'lite', removalPolicy: 'destroy' },
};

process.exitCode = await verifyWithPython({
  tools: 'cfn-lint',
  async verify(folder, programs) {
    const templates: string[] = [];
    for (const [stage, settings] of Object.entries(variants)) {
      const output = join(folder, stage);
      await writeFile(join(folder, `${stage}.json`), JSON.stringify(settings));
      await step(`cdk synth, ${stage}`, () => synthesize(output, [`stage=${stage}`, `settings=${folder}`]));
      templates.push(join(output, '*.template.json'));
    }
    const options = ['--config-file', config, '--regions', 'us-east-1', 'eu-central-1'];
    await step('cfn-lint', () => run(join(programs, 'cfn-lint'), [...options, '--template', ...templates]));
    console.log('\nVerified: cfn-lint has no complaints.');
  },
});

function synthesize(output: string, context: readonly string[]): Promise<string> {
  const options = context.flatMap((value) => ['--context', value]);
  return run(join(project, 'node_modules/.bin/cdk'), ['synth', '--quiet', '--output', output, ...options], {
    cwd: project,
  });
}
