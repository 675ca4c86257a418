import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { compareSettings, concurrencyOf } from '#lib/infra/deploy.ts';
import { readContext, readSettings, readSettingsFile, warningsAbout } from '#lib/infra/read-settings.ts';
import { regionFaults } from '#lib/infra/regions.ts';
import type { SettingsFile } from '#lib/infra/settings.ts';
import { everySetting } from './every-setting.ts';

const standard = {
  stage: 'prod',
  uploads: 'api',
  functions: 'single',
  userPoolPlan: 'essentials',
  secondFactor: 'off',
  aiModel: 'offline/retrieval-1',
  models: {},
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  deletionProtection: false,
  routeMetrics: false,
  tracing: false,
  logRetentionDays: 30,
  requestsPerSecond: 500,
};

const { certificateArn } = everySetting.domain;
const profile = 'bedrock/arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abc123';
const secretArn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:model-key-AbCdEf';
const url = 'https://ai.example/v1';

/** The settings that are not the file itself. */
const read = (file: unknown) => {
  const { file: _, ...settings } = readSettings(file, 'prod');
  return settings;
};
const faultsOf = (file: unknown): string[] => {
  try {
    readSettings(file, 'prod');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

it('warns before prod is deployed without alarmEmail, and no other stage', () => {
  const about = (stage: string, file: object) => warningsAbout(readSettings(file, stage));
  expect(about('prod', {})).toEqual([expect.stringContaining('alarmEmail')]);
  expect([about('prod', { alarmEmail: 'a@b.example' }), about('trial', {})]).toEqual([[], []]);
});

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(read({})).toEqual(standard);
  });

  it.each<SettingsFile>([
    { tracing: true, deletionProtection: true },
    { domain: { name: 'api.saffron.example', certificateArn } },
    { domain: { name: 'api.saffron.example', certificateArn }, uploads: 'web' },
    { logRetentionDays: 3653 },
    { backupDays: 1, requestsPerSecond: 999_999_999 },
    { monthlyBudget: 50, alarmEmail: 'on+call@saffron.example' },
    { issuer: { url: 'https://id.example/t/', clientId: 'abc' }, mail: { from: 'a@b.example' } },
    { mail: { from: 'Team@Saffron.example', identity: 'saffron.example' } },
    { aiModel: profile },
    { aiModel: 'bedrock/eu.vendor.model-v1:0', models: { [profile]: { cachesPrompts: true } } },
    { aiModel: 'openai/org/model', modelServer: { url, keySecretArn: secretArn } },
    { models: { 'openai/small': { reasoningEffort: 'minimal', reasoningTokens: 1 } }, modelServer: { url } },
  ])('reads %j', (file) => {
    expect(read(file)).toEqual({ ...standard, ...file });
  });

  it('reads what is not what the stack needs', () => {
    expect(read({ removalPolicy: 'destroy' })).toMatchObject({ removalPolicy: RemovalPolicy.DESTROY });
    expect(read({ guardrail: { arn: everySetting.guardrail.arn } })).toMatchObject({ guardrail: { version: 'DRAFT' } });
    expect(read(everySetting)).toMatchObject({ guardrail: { version: '2' }, keyCallsPerMinute: 600 });
  });

  it.each<[string, unknown, object?]>([
    ['removalPolicy', 'Destroy'],
    ['removalPolicy', 'snapshot'],
    ['logRetentionDays', 31],
    ['logRetentionDays', 9999],
    ['logRetentionDays', '30'],
    ['requestsPerSecond', 0],
    ['requestsPerSecond', 1.5],
    ['keyCallsPerMinute', -1],
    ['aiTokensPerDay', 1_000_000_000],
    ['backupDays', 'many'],
    ['uploads', 's3'],
    ['tracing', 'on'],
    ['deletionProtection', null],
    ['domain', 'api.saffron.example'],
    ['alarmEmail', 'a b@saffron.example'],
    ['userPoolPlan', 'plus'],
    ['aiModel', 'gpt'],
    ['aiModel', 'offline/other'],
    ['aiModel', 7],
    ['webAclArn', 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/front/1a2b3c4d-0000-0000-0000-000000000000'],
    ['originSecretVersion', 'AWSCURRENT'],
    ['tableStreamArn', 'arn:aws:dynamodb:us-east-1:111122223333:table/Workspaces'],
    ['tableStreamArn', 'arn:aws:kinesis:us-east-1:111122223333:stream/Workspaces'],
    ['domain.name', 'https://api.saffron.example', { domain: { name: 'https://api.saffron.example', certificateArn } }],
    ['domain.name', 'localhost', { domain: { name: 'localhost', certificateArn } }],
    ['mail.from', 'orders', { mail: { from: 'orders' } }],
    ['issuer.url', 'http://id.example', { issuer: { url: 'http://id.example', clientId: 'a' } }],
    ['issuer.clientId', 'a b', { issuer: { url: 'https://id.example', clientId: 'a b' } }],
    ['modelServer.url', 'https://key@ai.example', { modelServer: { url: 'https://key@ai.example' } }],
    // Without its suffix of six characters, IAM would name a missing secret.
    [
      'modelServer.keySecretArn',
      secretArn.slice(0, -7),
      { modelServer: { url, keySecretArn: secretArn.slice(0, -7) } },
    ],
    ['guardrail.arn', 'abc123', { guardrail: { arn: 'abc123' } }],
    ['webhookPrivateTargets', '10.0.0.0/8'],
    ['webhookPrivateTargets', []],
    ['webhookPrivateTargets.0', '0.0.0.0/0', { webhookPrivateTargets: ['0.0.0.0/0'] }],
    ['webhookPrivateTargets.1', '127.0.0.1/32', { webhookPrivateTargets: ['10.0.0.0/8', '127.0.0.1/32'] }],
    ['models.openai/a.reasoningEffort', 'none', { models: { 'openai/a': { reasoningEffort: 'none' } } }],
  ])('refuses %s = %j, naming what it must be', (name, value, file = { [name]: value }) => {
    expect(faultsOf(file)).toEqual([expect.stringMatching(/^The setting \S+ is .+; it must be .+\.$/)]);
    expect(faultsOf(file)[0]).toContain(`The setting ${name} is ${JSON.stringify(value)}; `);
  });

  it.each<[unknown, string]>([
    [
      { domain: { name: 'api.saffron.example' } },
      'domain.certificateArn is missing; it must be the ARN of a certificate',
    ],
    [{ issuer: { clientId: 'abc' } }, 'issuer.url is missing'],
    [{ uploads: 'web' }, 'give domain'],
    [{ aiModel: 'openai/model' }, 'give modelServer'],
    [{ models: { 'openai/small': {} } }, 'give modelServer'],
    [{ modelServer: { url } }, 'aiModel or models'],
    [{ aiModel: 'openai/a', modelServer: { url, kmsKeyArn: everySetting.modelServer.kmsKeyArn } }, 'keySecretArn'],
    [{ issuer: { url: 'https://id.example', clientId: 'abc' } }, 'give mail'],
    [{ mail: { from: 'a@notsaffron.example', identity: 'saffron.example' } }, 'mail.from'],
    [{ monthlyBudget: 50 }, 'alarmEmail'],
    [{ backupDays: 30, removalPolicy: 'destroy' }, 'removalPolicy must be retain'],
    [{ models: { gpt: {} } }, 'models.gpt names no model; its names must be bedrock/<id'],
    [[], 'must be a JSON object'],
    ['prod', 'must be a JSON object'],
  ])('refuses %j: %s', (file, fault) => {
    expect(faultsOf(file)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    [{ mailfrom: 'a@b.example' }, 'There is no setting mailfrom; the nearest is mail.from.'],
    [{ domian: {} }, 'There is no setting domian; the nearest is domain.'],
    [
      { domain: { name: 'a.example', certificateArn, hostedZone: 'Z1' } },
      'domain.hostedZone; the nearest is domain.hostedZoneId',
    ],
    [{ xqzzyv: 1 }, 'There is no setting xqzzyv.'],
    [{ tracing: false, removalpolicy: 'destroy' }, 'the nearest is removalPolicy'],
  ])('refuses the unknown name in %j, and names the nearest', (file, fault) => {
    expect(faultsOf(file)).toEqual([expect.stringContaining(fault)]);
  });

  it('lists all faults together', () => {
    expect(faultsOf({ tracnig: true, uploads: 'ftp', requestsPerSecond: 0 })).toHaveLength(3);
  });
});

describe('The settings of a stage', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-test-'));
    writeFileSync(join(folder, 'trial.json'), '{"removalPolicy":"destroy"}');
    writeFileSync(join(folder, 'broken.json'), '{"uploads":');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are those of its file, with the quota that the deployment found', () => {
    expect(readContext({ stage: 'trial', settings: folder, '@aws-cdk/core:x': true })).toMatchObject({
      stage: 'trial',
      removalPolicy: RemovalPolicy.DESTROY,
      concurrencyQuota: undefined,
    });
    expect(readContext({ stage: 'trial', settings: folder, concurrencyQuota: '1000' }).concurrencyQuota).toBe(1000);
  });

  it.each([
    [{ stage: 'missing' }, /There is no file .*missing\.json/],
    [{ stage: 'broken' }, /broken\.json: .*JSON/],
    [{ stage: '../trial' }, 'The stage is "../trial"; it must be a lower-case letter'],
    [{ stage: 'Trial' }, 'The stage is "Trial"'],
    [{ stage: 'a'.repeat(21) }, 'it must be a lower-case letter'],
    [{ concurrencyQuota: '1e99x', stage: 'trial' }, 'concurrencyQuota is "1e99x"'],
    [{ concurrencyRoom: '0', stage: 'trial' }, 'concurrencyRoom is "0"'],
    // A misspelt stage would otherwise be prod.
    [{ stgae: 'trial' }, 'stgae is no context; settings stand in .settings/<stage>.json.'],
    [{ mailFrom: 'a@b.example' }, 'mailFrom is no context'],
  ])('%j is refused', (context, fault) => {
    expect(() => readContext({ settings: folder, ...context })).toThrow(fault);
  });

  it.each(['prod', 'trial'])('that the project brings along for %s are valid', (stage) => {
    expect(() => readSettings(readSettingsFile(stage), stage)).not.toThrow();
  });
});

describe('A region', () => {
  it.each(['me-central-1', 'il-central-1', 'eu-central-2', 'ca-west-1', 'ap-southeast-4', 'cn-north-1', 'constructor'])(
    'without function URLs is refused with those that have them, such as %s',
    (region) => {
      expect(regionFaults(region, {})).toEqual([expect.stringMatching(/cannot run in .*eu-central-1.*us-west-2\.$/)]);
    },
  );

  it.each([
    ['ap-east-1', ['SES', 'AWS Budgets', 'web functions']],
    ['eu-south-1', ['AWS Budgets', 'web functions']],
    ['eu-north-1', ['AWS Budgets']],
    ['sa-east-1', []],
  ])('refuses the settings that need what %s lacks: %j', (region, lacking) => {
    const faults = regionFaults(region, everySetting);
    expect(faults).toHaveLength(lacking.length);
    for (const name of lacking) expect(faults.join(' ')).toContain(name);
    expect(regionFaults(region, { uploads: 'api' })).toEqual([]);
  });

  it('is refused before anything is made', () => {
    expect(() => readContext({ stage: 'prod' }, 'me-central-1')).toThrow('cannot run in the region me-central-1');
    expect(readContext({ stage: 'prod' }, 'ap-south-1').stage).toBe('prod');
  });

  it('that lib/infra/first-deployment.md recommends is not refused', () => {
    const page = readFileSync(new URL('../../lib/infra/first-deployment.md', import.meta.url), 'utf8');
    const [, none = ''] = /\. ([^.]+) are none/.exec(page) ?? [];
    const named = (text: string) => text.match(/\b[a-z]{2}-[a-z]+-\d\b/g) ?? [];
    const refused = named(page).filter((region) => regionFaults(region, {}).length > 0);
    expect(refused).toEqual(named(none));
    expect(refused).not.toEqual([]);
  });
});

describe('The executions that a deployment may reserve', () => {
  const deployed = {
    Resources: {
      A: { Properties: { ReservedConcurrentExecutions: 90 } },
      B: { Properties: {} },
      C: {},
      D: { Properties: { ReservedConcurrentExecutions: 60 } },
    },
  };

  it.each([
    ['of a first stack', { ConcurrentExecutions: 900, UnreservedConcurrentExecutions: 900 }, undefined, 900],
    ['beside another', { ConcurrentExecutions: 900, UnreservedConcurrentExecutions: 630 }, undefined, 630],
    ['include its own', { ConcurrentExecutions: 900, UnreservedConcurrentExecutions: 480 }, deployed, 630],
    // While its functions are stopped.
    ['end at the quota', { ConcurrentExecutions: 900, UnreservedConcurrentExecutions: 900 }, deployed, 900],
  ])('are what others have not reserved: %s', (_, limit, template, concurrencyRoom) => {
    expect(concurrencyOf(limit, template)).toEqual({ concurrencyQuota: 900, concurrencyRoom });
  });

  it('are unknown without an answer of AWS', () => {
    expect(concurrencyOf(undefined, deployed)).toEqual({});
  });
});

describe('A deployment compared with the one before', () => {
  const mail = { from: 'a@b.example', identity: 'b.example' };

  it('changes and adds settings without being asked', () => {
    const { faults, lines } = compareSettings({ tracing: true, mail }, { tracing: false, mail, backupDays: 7 }, []);
    expect([faults, lines]).toEqual([[], ['~ tracing: false', '+ backupDays: 7']]);
  });

  it('keeps each setting that is not named for removal, also within a group', () => {
    const before = { mail, models: { 'openai/a': {}, 'openai/b': {} }, alarmEmail: 'c@b.example' };
    const after: SettingsFile = { mail: { from: mail.from }, models: { 'openai/b': {} } };
    expect(compareSettings(before, after, []).faults).toEqual([
      'mail.identity is deployed as "b.example" and is not in the file. Add it, or give --drop mail.identity.',
      'models.openai/a is deployed as {} and is not in the file. Add it, or give --drop models.openai/a.',
      'alarmEmail is deployed as "c@b.example" and is not in the file. Add it, or give --drop alarmEmail.',
    ]);
    const { faults, lines } = compareSettings(before, after, ['mail', 'models.openai/a', 'alarmEmail']);
    expect(faults).toEqual([]);
    expect(lines).toEqual(['- mail.identity: "b.example"', '- models.openai/a: {}', '- alarmEmail: "c@b.example"']);
  });

  it('refuses to drop what stays, is not deployed, or only begins alike', () => {
    const { faults } = compareSettings({ mail }, { mail: { from: mail.from } }, ['mail.from', 'domain', 'mail.ident']);
    expect(faults).toHaveLength(4);
  });

  it('drops nothing of the first deployment', () => {
    expect(compareSettings(undefined, { uploads: 'api' }, []).faults).toEqual([]);
  });
});
