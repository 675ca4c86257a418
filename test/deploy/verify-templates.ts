import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '#test/support/run.ts';
import { step, verifyWithPython } from '#test/support/verification.ts';

// Holds the templates that `cdk synth` makes against CloudFormation's own schemas, with cfn-lint. Exceptions, each with
// its reason, are in cfn-lint.yaml beside this file.

const project = fileURLToPath(new URL('../..', import.meta.url));
const config = fileURLToPath(new URL('./cfn-lint.yaml', import.meta.url));

/** The stack as it is without any setting, and with as many as fit together. */
const variants: Readonly<Record<string, readonly string[]>> = {
  prod: [],
  full: [
    'domainName=api.example.com',
    'certificateArn=arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-0000-0000-000000000000',
    'hostedZoneId=Z0123456789ABC',
    'webAclArn=arn:aws:wafv2:us-east-1:111122223333:global/webacl/front/1a2b3c4d-0000-0000-0000-000000000000',
    'originSecretVersion=1a2b3c4d-0000-0000-0000-000000000001',
    'tracing=on',
    'deletionProtection=on',
    'backupDays=365',
    'monthlyBudget=50',
    'uploads=web',
    'openaiKeyKmsKeyArn=arn:aws:kms:us-east-1:111122223333:key/0a1b2c3d-0000-0000-0000-000000000000',
    'bedrockModels=us.vendor.model-v1:0,arn:aws:bedrock:us-east-1:111122223333:application-inference-profile/abc123',
    'mailFrom=orders@example.com',
    'mailIdentity=example.com',
    'userPoolPlan=lite',
    'alarmEmail=owner@example.com',
    'aiModel=openai/gpt-5',
    'aiTokensPerDay=1000000',
    'openaiBaseUrl=https://api.openai.com/v1',
    'openaiKeySecretArn=arn:aws:secretsmanager:us-east-1:111122223333:secret:openai-AbCdEf',
    'keyCallsPerMinute=600',
    'streamConcurrency=10',
  ],
};

process.exitCode = await verifyWithPython({
  tools: 'cfn-lint',
  async verify(folder, programs) {
    const templates: string[] = [];
    for (const [stage, settings] of Object.entries(variants)) {
      const output = join(folder, stage);
      await step(`cdk synth, ${stage}`, () => synthesize(output, [`stage=${stage}`, ...settings]));
      templates.push(join(output, '*.template.json'));
    }
    const options = ['--config-file', config, '--regions', 'us-east-1', 'eu-central-1'];
    await step('cfn-lint', () => run(join(programs, 'cfn-lint'), [...options, '--template', ...templates]));
    console.log('\nVerified: cfn-lint has no complaints.');
  },
});

function synthesize(output: string, settings: readonly string[]): Promise<string> {
  const options = settings.flatMap((setting) => ['--context', setting]);
  return run(join(project, 'node_modules/.bin/cdk'), ['synth', '--quiet', '--output', output, ...options], {
    cwd: project,
  });
}
