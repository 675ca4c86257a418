import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What a deployer may choose with `-c name=value`, or in the context of cdk.json. */
export interface Settings {
  /** Which copy of the service this is; each has a stack, a table and an address of its own. @default prod */
  readonly stage: string;
  /** What becomes of table and logs when the stack is deleted; `destroy` is for trial stacks. @default retain */
  readonly removalPolicy: RemovalPolicy.RETAIN | RemovalPolicy.DESTROY;
  /** For how many days the logs are kept. @default 30 */
  readonly logRetentionDays: RetentionDays;
  /** How many requests a second API Gateway lets through in the long run. @default 500 */
  readonly throttleRate: number;
  /** How many requests it lets through at once before that rate counts. @default 1000 */
  readonly throttleBurst: number;
}

type Reader<Value> = (text: string) => Value | undefined;

interface Choice<Value> {
  readonly read: Reader<Value>;
  readonly standard: Value;
  /** Completes "must be ...". */
  readonly needed: string;
}

const removalPolicies = new Map<string, Settings['removalPolicy']>([
  ['retain', RemovalPolicy.RETAIN],
  ['destroy', RemovalPolicy.DESTROY],
]);

const retentions = Object.values(RetentionDays)
  .filter((days) => typeof days === 'number')
  .filter((days) => days !== RetentionDays.INFINITE);

const wholeNumber: Reader<number> = (text) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined);

const choices: { readonly [Name in keyof Settings]: Choice<Settings[Name]> } = {
  stage: {
    read: (text) => (/^[a-z][a-z0-9-]{0,19}$/.test(text) ? text : undefined),
    standard: 'prod',
    needed: 'a lower-case letter, followed by up to 19 of a-z, 0-9 and -',
  },
  removalPolicy: {
    read: (text) => removalPolicies.get(text),
    standard: RemovalPolicy.RETAIN,
    needed: [...removalPolicies.keys()].join(' or '),
  },
  logRetentionDays: {
    read: (text) => retentions.find((days) => String(days) === text),
    standard: RetentionDays.ONE_MONTH,
    needed: `one of ${retentions.join(', ')}`,
  },
  throttleRate: { read: wholeNumber, standard: 500, needed: 'a whole number above 0' },
  throttleBurst: { read: wholeNumber, standard: 1000, needed: 'a whole number above 0' },
};

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
    if (value === undefined)
      faults.push(`The setting ${name} is ${JSON.stringify(given)}; it must be ${choice.needed}.`);
    return [name, value];
  });
  return faults.length > 0 ? { faults } : (Object.fromEntries(entries) as Settings);
}
