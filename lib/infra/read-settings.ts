import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RemovalPolicy } from 'aws-cdk-lib';
import { closestMatch } from 'leven';
import type * as z from 'zod/mini';
import { regionFaults } from './regions.ts';
import { type Settings, type SettingsFile, settingsSchema } from './settings.ts';

/** Holds a file of settings for each stage. */
export const settingsFolder = fileURLToPath(new URL('../../.settings', import.meta.url));

/** What was wrong with the settings, one sentence each. */
export class SettingFaults extends Error {
  override readonly name = 'SettingFaults';

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/** What the command line of the CDK may name with `--context`. Everything else is a setting. */
const contextNames = ['stage', 'settings', 'concurrencyQuota', 'concurrencyRoom'] as const;

/**
 * Reads the settings of a stage of the app's context: its name (`prod` by default), the folder of the files, and the
 * quota that `npm run deploy` has found.
 * @param region where the stack will be made, if it is known
 * @throws SettingFaults
 */
export function readContext(context: Readonly<Record<string, unknown>>, region?: string): Settings {
  // The names of CDK's own context have a colon. A misspelt `stage` would otherwise deploy over the live service.
  const unknown = Object.keys(context).filter(
    (name) => !name.includes(':') && !(contextNames as readonly string[]).includes(name),
  );
  if (unknown.length > 0) {
    throw new SettingFaults(unknown.map((name) => `${name} is no context; settings stand in .settings/<stage>.json.`));
  }
  const { stage = 'prod', settings = settingsFolder } = context;
  const [concurrencyQuota, concurrencyRoom] = [
    countOf('concurrencyQuota', context),
    countOf('concurrencyRoom', context),
  ];
  const file = readSettingsFile(String(stage), String(settings));
  const read = readSettings(file, String(stage), { concurrencyQuota, concurrencyRoom });
  const faults = region === undefined ? [] : regionFaults(region, read.file);
  if (faults.length > 0) throw new SettingFaults(faults);
  return read;
}

function countOf(name: (typeof contextNames)[number], context: Readonly<Record<string, unknown>>): number | undefined {
  const value = context[name];
  if (value === undefined) return undefined;
  const count = Number(value);
  if (Number.isInteger(count) && count > 0) return count;
  throw new SettingFaults([`${name} is ${JSON.stringify(value)}; it must be a whole number above 0.`]);
}

/** @throws SettingFaults if there is no such stage, or its file is not JSON */
export function readSettingsFile(stage: string, folder = settingsFolder): unknown {
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(stage)) {
    throw new SettingFaults([
      `The stage is ${JSON.stringify(stage)}; it must be a lower-case letter, followed by up to 19 of a-z, 0-9 and -.`,
    ]);
  }
  const file = join(folder, `${stage}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SettingFaults([
      code === 'ENOENT' ? `There is no file ${file}: a stage needs its settings.` : `${file}: ${message}.`,
    ]);
  }
}

/**
 * @param file the content of a file of settings
 * @param account what is known of its concurrent executions
 * @throws SettingFaults if a value is not allowed or a name is unknown
 */
export function readSettings(
  file: unknown,
  stage: string,
  account: Partial<Pick<Settings, 'concurrencyQuota' | 'concurrencyRoom'>> = {},
): Settings {
  const { data, error } = settingsSchema.safeParse(file);
  const faults = error ? error.issues.flatMap((issue) => faultsOf(issue, file)) : contradictions(data);
  if (!data || faults.length > 0) throw new SettingFaults(faults);
  const { concurrencyQuota, concurrencyRoom } = account;
  return { ...data, stage, concurrencyQuota, concurrencyRoom, file: file as SettingsFile };
}

function faultsOf(issue: z.core.$ZodIssue, file: unknown): string[] {
  const { code, path, message } = issue;
  const name = path.map(String).join('.');
  if (code === 'unrecognized_keys') return issue.keys.map((key) => unknownSetting([...path.map(String), key]));
  if (code === 'invalid_key') {
    return [`The setting ${name} names no model; its names must be ${issue.issues[0]?.message ?? message}.`];
  }
  const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], file);
  if (name === '') return ['The settings must be a JSON object.'];
  return [
    value === undefined
      ? `The setting ${name} is missing; it must be ${message}.`
      : `The setting ${name} is ${JSON.stringify(value)}; it must be ${message}.`,
  ];
}

const unknownSetting = (path: readonly string[]): string => {
  const name = path.join('.');
  const nearest = closestMatch(name, settingNames, { maxDistance: Math.ceil(name.length / 2) });
  return `There is no setting ${name}${nearest === undefined ? '' : `; the nearest is ${nearest}`}.`;
};

/** The names of all settings. Those that belong together follow a dot: `domain.name`. */
export const settingNames: readonly string[] = namesIn(settingsSchema, '');

function namesIn(schema: z.core.$ZodType, prefix: string): string[] {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; shape?: Record<string, z.core.$ZodType> } };
  if (def.innerType) return namesIn(def.innerType, prefix);
  return Object.entries(def.shape ?? {}).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...namesIn(inner, `${prefix}${name}.`),
  ]);
}

function contradictions(settings: z.output<typeof settingsSchema>): string[] {
  const { domain, mail, issuer, aiModel, models, modelServer } = settings;
  const usesServer = [aiModel, ...Object.keys(models)].some((name) => name.startsWith('openai/'));
  return [
    settings.monthlyBudget !== undefined &&
      settings.alarmEmail === undefined &&
      'With monthlyBudget give alarmEmail, which gets the mails about it.',
    // AWS Backup copies only buckets that keep versions.
    settings.backupDays !== undefined &&
      settings.removalPolicy === RemovalPolicy.DESTROY &&
      'With backupDays the removalPolicy must be retain, whose bucket keeps the versions that a backup needs.',
    settings.backupCopyVaultArn !== undefined &&
      settings.backupDays === undefined &&
      'With backupCopyVaultArn give backupDays.',
    settings.uploads === 'web' &&
      domain === undefined &&
      'With uploads "web" give domain: the address of the files must be known before.',
    issuer !== undefined && mail === undefined && 'With issuer give mail, which invitations come from.',
    // A user pool takes no address of a subdomain.
    mail?.identity !== undefined &&
      !mail.from.toLowerCase().endsWith(`@${mail.identity}`) &&
      'The address mail.from must be of the domain mail.identity.',
    usesServer && modelServer === undefined && 'With a model openai/... give modelServer.',
    modelServer !== undefined && !usesServer && 'With modelServer give a model openai/... in aiModel or models.',
    modelServer?.kmsKeyArn !== undefined &&
      modelServer.keySecretArn === undefined &&
      'With modelServer.kmsKeyArn give modelServer.keySecretArn.',
  ].filter((fault) => fault !== false);
}

/** What an operator should know before the stage is deployed. */
export const warningsAbout = ({ stage, alarmEmail }: Settings): string[] =>
  stage === 'prod' && alarmEmail === undefined
    ? ['Without the setting alarmEmail, only the dashboard shows the alarms of prod.']
    : [];

/** The settings of the file by their full names, to compare two files. */
export function namedSettings(
  file: SettingsFile | Readonly<Record<string, unknown>>,
  prefix = '',
): Map<string, unknown> {
  const named = Object.entries(file).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? [...namedSettings(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`)]
      : [[`${prefix}${name}`, value]],
  );
  return new Map(named);
}
