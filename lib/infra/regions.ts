import type { SettingsFile } from './settings.ts';

/** The settings whose resources a region may lack. */
type RegionalSetting = 'mail' | 'monthlyBudget' | 'uploads';

/**
 * The regions that have everything a stack needs, of which Lambda's function URLs are the rarest, and the settings that
 * cannot be used there. `npm run verify:templates` checks every one of them.
 */
export const regions: Readonly<Record<string, readonly RegionalSetting[]>> = {
  'af-south-1': ['monthlyBudget', 'uploads'],
  'ap-east-1': ['mail', 'monthlyBudget', 'uploads'],
  'ap-northeast-1': [],
  'ap-northeast-2': [],
  'ap-northeast-3': ['monthlyBudget'],
  'ap-south-1': [],
  'ap-southeast-1': [],
  'ap-southeast-2': [],
  'ap-southeast-3': ['monthlyBudget', 'uploads'],
  'ca-central-1': [],
  'eu-central-1': [],
  'eu-north-1': ['monthlyBudget'],
  'eu-south-1': ['monthlyBudget', 'uploads'],
  'eu-west-1': [],
  'eu-west-2': [],
  'eu-west-3': [],
  'sa-east-1': [],
  'us-east-1': [],
  'us-east-2': [],
  'us-west-1': [],
  'us-west-2': [],
};

const reasons: Readonly<Record<RegionalSetting, string>> = {
  mail: 'SES is not there; leave mail out',
  monthlyBudget: 'AWS Budgets is not there; leave monthlyBudget out',
  uploads: 'web functions are not there; leave uploads out, or at "api"',
};

/** Why a stack with these settings cannot be made in a region, which would fail in the middle of the deployment. */
export function regionFaults(region: string, settings: Pick<SettingsFile, RegionalSetting>): string[] {
  const lacking = Object.hasOwn(regions, region) ? regions[region] : undefined;
  if (!lacking) {
    return [`The service cannot run in the region ${region}; it runs in ${Object.keys(regions).join(', ')}.`];
  }
  return lacking
    .filter((name) => settings[name] !== undefined && settings[name] !== 'api')
    .map((name) => `In the region ${region} ${reasons[name]}.`);
}
