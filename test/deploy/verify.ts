import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SettingsFile } from '#lib/infra/settings.ts';
import { run } from '#test/support/run.ts';
import { step, verifyWithPython } from '#test/support/verification.ts';
import { BadDay } from './bad-day.ts';
import { BuiltWorkspace } from './built-workspace.ts';
import { DeployedStack } from './deployed-stack.ts';
import { emptyBucket } from './empty-bucket.ts';
import { Emulator } from './emulator.ts';
import { LocalEdge } from './local-edge.ts';
import { Manager } from './manager.ts';
import { Probe } from './probe.ts';
import { firstPassword, SignedInMember } from './signed-in-member.ts';
import { messages, TrialProject } from './trial-project.ts';

// Deploys the stack to an emulator of AWS with the CDK's command line, imports the demo and runs the stories. It
// updates the stack under load and deletes it. It uses only this machine and Python's package index.

const project = fileURLToPath(new URL('../..', import.meta.url));
const stack = 'WorkspaceApi-trial';
const sender = 'orders@saffron.example';
const invited = 'manager@saffron.example';
// The emulator does not support the style of the newer sign-in pages.
const settings: SettingsFile = {
  removalPolicy: 'destroy',
  userPoolPlan: 'lite',
  mail: { from: sender },
  alarmEmail: 'ops@saffron.example',
};

/** Features that the emulator does not support, and the reasons. */
const without = {
  bytes: 'its streams are text: a download that is no text arrives changed',
  streaming: 'a streamed answer arrives in one piece, so that time to the first byte says nothing',
  limits: 'it takes bodies of any size, so that the ceilings of API Gateway and Lambda are not met',
  preflights: 'its HTTP APIs answer OPTIONS themselves; AWS hands it to the route when no CORS is configured',
  cloudfront: 'a small stand-in of ours sends each path to the origin that the deployed distribution names',
  backups: 'it makes no backup of a deleted table, keeps no earlier states and restores at once',
  permissions: 'it does not check what roles allow; test/infra does',
  updates:
    'it ends a function that is updated in the middle of a call, whose caller is answered 502 and asks once more',
};

interface Outputs {
  readonly ApiUrl: string;
  readonly TableName: string;
  readonly BucketName: string;
  readonly OriginSecretArn: string;
  readonly DistributionId: string;
}

process.exitCode = await verifyWithPython({
  tools: 'ministack',
  async verify(folder, programs) {
    try {
      await using started = new AsyncDisposableStack();
      await verify(folder, programs, started);
    } catch (error) {
      console.error(await lastLinesOf(join(folder, 'emulator.log')));
      throw error;
    }
    const reasons = Object.values(without).map((why) => `- ${why}`);
    console.log(`\nVerified. What the emulator cannot show:\n${reasons.join('\n')}`);
  },
});

async function verify(folder: string, programs: string, started: AsyncDisposableStack): Promise<void> {
  const emulator = await step('start the emulator', () => Emulator.start(folder, programs));
  started.defer(() => emulator.stop());
  const trial = await TrialProject.make(join(folder, 'trial'), emulator.environment);
  const outputsFile = join(folder, 'outputs.json');
  const deploy = async (more: SettingsFile = {}, ...drop: readonly string[]) => {
    await trial.settle({ ...settings, ...more });
    return trial.deploy(drop, '--require-approval', 'never', '--outputs-file', outputsFile);
  };
  const operator = new DeployedStack(emulator.url);

  await step('cdk bootstrap', () => trial.bootstrap());
  await step('npm run deploy -- trial', () => deploy());
  const outputs: Outputs = JSON.parse(await readFile(outputsFile, 'utf8'))[stack];
  const edge = await LocalEdge.start(emulator.url, outputs.DistributionId);
  started.defer(() => edge.stop());
  const probe = new Probe(edge.url);

  await step('import the demo with "npm run workspace -- import ... --stack"', () =>
    trial.workspace('import', 'lib/local/demo-workspace.json', '--stack', stack),
  );
  await step('answer who comes through the distribution, and refuse who goes round it', () =>
    probe.checkOrigin(emulator.url, edge.apiHost),
  );
  const built = new BuiltWorkspace(trial, stack);
  await step('build the demo once more through HTTPS, with test/examples/build-workspace.js', () =>
    built.build(edge.url, 'ws_saffron'),
  );
  await step('create a category, a product, an entry, an image and a key, and read them as a website does', () =>
    new Manager(edge.url, built.secret).tellStory('story'),
  );
  await step('publish a product at its time, and try to tell a webhook of it', () =>
    new Manager(edge.url, built.secret).awaitWork('key_builder'),
  );
  await step('find nothing wrong with "npm run smoke"', async () => {
    for (const key of ['saffron-site-key-0000000000', 'saffron-desk-key-0000000000']) await trial.smoke(edge.url, key);
  });
  await step('tell the stories of test/acceptance', () => runStories(edge.url));
  await step('invite a member, who signs in, makes a key, uses it and revokes it', async () => {
    const member = ['--workspace', 'ws_saffron', '--email', invited, '--stack', stack];
    await trial.workspace('member', 'invite', ...member);
    const password = firstPassword(await emulator.mails());
    await new SignedInMember(edge.url).tellStory({ address: invited, password });
  });
  await step('keep the mail of a form while SES does not know the sender, and send it when it does', async () => {
    await operator.postponedMail(outputs.TableName);
    await operator.verifyAddress(sender);
    await emulator.mailTo('hello@saffron.example');
  });
  await step('rotate the origin secret while requests come in', async () => {
    const before = edge.sentValue;
    const version = await operator.rotate(outputs.OriginSecretArn, 'the-second-value-0123456789');
    const rotation = () => deploy({ originSecretVersion: version }).then(() => edge.sends(2));
    const { answered } = await probe.during(rotation, 4);
    if (edge.sentValue === before) throw new Error('The distribution still sends the value before.');
    return `${answered} requests, all of them answered`;
  });
  await step('refuse a deployment that loses a setting', () =>
    deploy().then(
      () => Promise.reject(new Error('It lost the version of the origin secret.')),
      (error: Error) => {
        if (!error.message.includes('give --drop originSecretVersion')) throw error;
      },
    ),
  );
  await step('update every function while requests come in', async () => {
    await trial.change();
    // The emulator kills the processes of an updated function, so one call may be interrupted. AWS lets calls end.
    const { answered, interrupted } = await probe.during(() => deploy({}, 'originSecretVersion'), 1, 1);
    await probe.expectUnknownAddress(messages.after);
    return `${answered} requests answered, ${interrupted} interrupted by the emulator`;
  });
  await step('deploy the same handlers as grouped functions while requests come in, and use them', async () => {
    const grouping = () => deploy({ functions: 'grouped' });
    const { answered, interrupted } = await probe.during(grouping, 1, 1);
    await probe.expectUnknownAddress(messages.after);
    await new Manager(edge.url, built.secret).tellStory('grouped');
    return `${answered} requests answered, ${interrupted} interrupted by the emulator`;
  });
  const badDay = new BadDay(emulator.url, { trial, stack, tableName: outputs.TableName, url: edge.url });
  const workspace = { id: 'ws_built', secret: built.secret };
  await step('stop every function, and start them again', () => badDay.stopAndStart());
  await step('bring removed records back with "table restore ... --at"', () => badDay.damage(workspace));
  await step('bring a deleted table back with "table restore", and follow its stream', () =>
    badDay.lose(workspace, (tableStreamArn) => deploy({ functions: 'grouped', tableStreamArn })),
  );
  await step('cdk destroy', async () => {
    await emptyBucket(emulator.url, outputs.BucketName);
    await trial.cdk('destroy', '--context', 'stage=trial', '--force');
    await probe.expectGone();
  });
}

async function runStories(url: string): Promise<void> {
  const options = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  await run(process.execPath, [...options, 'node_modules/jest/bin/jest.js', 'test/acceptance/story-'], {
    cwd: project,
    env: { ...process.env, API_URL: url, API_WITHOUT: Object.keys(without).join(',') },
    isShown: true,
  });
}

async function lastLinesOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(-40).join('\n');
}
