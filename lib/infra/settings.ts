import type { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Choice, choices } from './setting-choices.ts';

/** What a deployer may choose with `-c name=value`, or in the context of cdk.json. */
export interface Settings {
  /** Which copy of the service this is; each has a stack, a table and an address of its own. @default prod */
  readonly stage: string;
  /** The service's own host name, with `certificateArn`. @default one that CloudFront makes up */
  readonly domainName: string | undefined;
  /** The certificate of `domainName`; CloudFront reads those of us-east-1 alone. */
  readonly certificateArn: string | undefined;
  /** Where the links of uploaded files lead, when not to the service's own address. */
  readonly assetBaseUrl: string | undefined;
  /** What takes multipart uploads: the HTTP API up to 4.4 MB, or a web function up to 5 x 25 MB. @default api */
  readonly uploads: 'api' | 'web';
  /** Who mail comes from; SES has to know the address or its domain. @default no mail is sent */
  readonly mailFrom: string | undefined;
  /** Who is told of alarms. @default nobody; the dashboard shows them */
  readonly alarmEmail: string | undefined;
  /** The engine of agents that name none. @default offline/retrieval-1 */
  readonly aiModel: string;
  /** How many tokens the AI replies of each workspace may take on a day in UTC. @default no bound, and none is counted */
  readonly aiTokensPerDay: number | undefined;
  /** The OpenAI-compatible server of `openai/...` models, including `/v1`. */
  readonly openaiBaseUrl: string | undefined;
  /** The ARN of the secret that holds that server's key, as plain text. @default it wants none */
  readonly openaiKeySecretArn: string | undefined;
  /** What becomes of the data and the logs when the stack is deleted; `destroy` is for trial stacks. @default retain */
  readonly removalPolicy: RemovalPolicy.RETAIN | RemovalPolicy.DESTROY;
  /** For how many days the logs are kept. @default 30 */
  readonly logRetentionDays: RetentionDays;
  /** How many requests a second each route of API Gateway lets through in the long run. @default 500 */
  readonly throttleRate: number;
  /** How many requests it lets through at once before that rate counts. @default 1000 */
  readonly throttleBurst: number;
  /** How many calls a minute each API key may make. @default no limit, and none is counted */
  readonly keyCallsPerMinute: number | undefined;
  /** How many answers each streaming function gives at once; taken from the account's share. @default no bound */
  readonly streamConcurrency: number | undefined;
}

/**
 * Reads the settings from the app's context.
 * @returns the faults instead, a sentence each, when a value is not one of those it may have, or when a name is none of
 * ours: a misspelt `stage` would otherwise deploy over the service that is in use
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings | { readonly faults: string[] } {
  // The names of CDK's own context have a colon.
  const strangers = Object.keys(context).filter((name) => !name.includes(':') && !(name in choices));
  const faults = strangers.map((name) => `There is no setting ${name}; there are ${Object.keys(choices).join(', ')}.`);
  const entries = Object.entries(choices).map(([name, choice]: [string, Choice<unknown>]) => {
    const given = context[name];
    const value = given === undefined ? choice.standard : choice.read(String(given));
    if (value === undefined && given !== undefined) {
      faults.push(`The setting ${name} is ${JSON.stringify(given)}; it must be ${choice.needed}.`);
    }
    return [name, value];
  });
  const settings = Object.fromEntries(entries) as Settings;
  if (faults.length === 0) faults.push(...contradictions(settings));
  return faults.length > 0 ? { faults } : settings;
}

function contradictions(settings: Settings): string[] {
  const { domainName, certificateArn, uploads, assetBaseUrl, openaiBaseUrl, openaiKeySecretArn, aiModel } = settings;
  return [
    (domainName === undefined) !== (certificateArn === undefined) &&
      'The settings domainName and certificateArn belong together: give both or neither.',
    uploads === 'web' &&
      domainName === undefined &&
      assetBaseUrl === undefined &&
      'With uploads=web the address of the files must be known before: give domainName, or assetBaseUrl with the output ApiUrl of a first deployment.',
    aiModel.startsWith('openai/') && openaiBaseUrl === undefined && 'With aiModel=openai/... give openaiBaseUrl.',
    openaiKeySecretArn !== undefined && openaiBaseUrl === undefined && 'With openaiKeySecretArn give openaiBaseUrl.',
  ].filter((fault) => fault !== false);
}
