import { RemovalPolicy } from 'aws-cdk-lib';
import { type Choice, choices } from './setting-choices.ts';
import type { Settings } from './settings.ts';

/**
 * Reads the settings from the app's context.
 * @returns error messages instead, if a value is not allowed or a name is unknown. A misspelt `stage` would otherwise
 * deploy over the live service
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings | { readonly faults: string[] } {
  // The names of CDK's own context have a colon.
  const unknown = Object.keys(context).filter((name) => !name.includes(':') && !(name in choices));
  const faults = unknown.map((name) => `There is no setting ${name}; there are ${Object.keys(choices).join(', ')}.`);
  const entries = Object.entries(choices).map(([name, choice]: [string, Choice<unknown>]) => {
    const setting = context[name];
    const value = setting === undefined ? choice.standard : choice.read(String(setting));
    if (value === undefined && setting !== undefined) {
      faults.push(`The setting ${name} is ${JSON.stringify(setting)}; it must be ${choice.needed}.`);
    }
    return [name, value];
  });
  const settings = Object.fromEntries(entries) as Settings;
  if (faults.length === 0) faults.push(...contradictions(settings));
  return faults.length > 0 ? { faults } : settings;
}

function contradictions(settings: Settings): string[] {
  const { domainName, certificateArn, hostedZoneId, uploads, assetBaseUrl } = settings;
  return [
    (domainName === undefined) !== (certificateArn === undefined) &&
      'The settings domainName and certificateArn belong together: give both or neither.',
    settings.monthlyBudget !== undefined &&
      settings.alarmEmail === undefined &&
      'With monthlyBudget give alarmEmail, which gets the mails about it.',
    // AWS Backup copies only buckets that keep versions.
    settings.backupDays !== undefined &&
      settings.removalPolicy === RemovalPolicy.DESTROY &&
      'With backupDays give removalPolicy=retain, whose bucket keeps the versions that a backup needs.',
    hostedZoneId !== undefined && domainName === undefined && 'With hostedZoneId give domainName.',
    uploads === 'web' &&
      domainName === undefined &&
      assetBaseUrl === undefined &&
      'With uploads=web the address of the files must be known before: give domainName, or assetBaseUrl with the output ApiUrl of a first deployment.',
    ...identityContradictions(settings),
    ...modelContradictions(settings),
  ].filter((fault) => fault !== false);
}

const identityContradictions = ({ oidcIssuer, oidcClientId, oidcSecretArn, mailFrom, mailIdentity }: Settings) => [
  (oidcIssuer === undefined) !== (oidcClientId === undefined) &&
    'The settings oidcIssuer and oidcClientId belong together: give both or neither.',
  oidcSecretArn !== undefined && oidcIssuer === undefined && 'With oidcSecretArn give oidcIssuer.',
  oidcIssuer !== undefined && mailFrom === undefined && 'With oidcIssuer give mailFrom, which invitations come from.',
  // A user pool takes no address of a subdomain.
  mailIdentity !== undefined &&
    !mailFrom?.toLowerCase().endsWith(`@${mailIdentity}`) &&
    'With mailIdentity give a mailFrom of that domain.',
];

const modelContradictions = (settings: Settings) => {
  const { aiModel, openaiBaseUrl, openaiModels, openaiKeySecretArn, openaiKeyKmsKeyArn } = settings;
  return [
    aiModel.startsWith('openai/') && openaiBaseUrl === undefined && 'With aiModel=openai/... give openaiBaseUrl.',
    openaiKeySecretArn !== undefined && openaiBaseUrl === undefined && 'With openaiKeySecretArn give openaiBaseUrl.',
    openaiModels.length > 0 && openaiBaseUrl === undefined && 'With openaiModels give openaiBaseUrl.',
    openaiBaseUrl !== undefined &&
      openaiModels.length === 0 &&
      !aiModel.startsWith('openai/') &&
      'With openaiBaseUrl give aiModel=openai/... or openaiModels.',
    settings.bedrockGuardrailVersion !== undefined &&
      settings.bedrockGuardrailArn === undefined &&
      'With bedrockGuardrailVersion give bedrockGuardrailArn.',
    openaiKeyKmsKeyArn !== undefined &&
      openaiKeySecretArn === undefined &&
      'With openaiKeyKmsKeyArn give openaiKeySecretArn.',
  ];
};

/** The minimum of executions that Lambda leaves to functions without a reservation. */
const unreservedMin = 100;

/**
 * @param functions the number of streaming functions
 * @throws Error if AWS would refuse their reservations, which would fail in the middle of a deployment
 */
export function requireRoomFor(
  functions: number,
  settings: Pick<Settings, 'accountConcurrency' | 'streamConcurrency'>,
) {
  const { accountConcurrency, streamConcurrency } = settings;
  const each = streamConcurrencyOf(settings) ?? 0;
  if (each * functions === 0 || each * functions + unreservedMin <= accountConcurrency) return;
  throw new Error(
    `The setting streamConcurrency is ${streamConcurrency}: ${functions} functions reserve ${each * functions} executions, and AWS wants ${unreservedMin} of the ${accountConcurrency} of accountConcurrency to stay unreserved.`,
  );
}

/**
 * The number of concurrent answers of each streaming function. Function URLs have no throttle. Without a bound, one
 * caller could use the capacity of the whole account. AWS requires that 100 executions stay unreserved. So an account
 * with a small quota has no bound by default.
 */
export const streamConcurrencyOf = (settings: Pick<Settings, 'accountConcurrency' | 'streamConcurrency'>) => {
  const { accountConcurrency, streamConcurrency } = settings;
  return streamConcurrency ?? (accountConcurrency < 500 ? undefined : Math.floor(accountConcurrency / 10));
};
