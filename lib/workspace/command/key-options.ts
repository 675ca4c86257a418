import { graceSecondsMax } from '#lib/domain/access/grace-seconds.ts';
import { memberAddress } from '#lib/domain/access/member.ts';
import { defaultPermissions, Permission } from '#lib/domain/access/permission.ts';
import type { ResponseFormat } from '#lib/domain/forms/responses-document.ts';
import { isBlank } from '#lib/domain/text/blank.ts';
import { isDateTime, isDay, withoutLeapSecond } from '#lib/domain/text/calendar.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import type { NewKey } from './api-keys.ts';
import { type Arguments, UsageError } from './arguments.ts';
import type { NewMember } from './run-member.ts';

// The options of commands on keys, members, responses and tables. Each function here throws UsageError.

export function newKey(args: Arguments): NewKey {
  return {
    name: nameOf(args.required('name')),
    memberId: recordId('--member', args.optional('member') ?? null),
    permissions: permissionsOf(args, defaultPermissions),
    expiresAt: timeOf(args.optional('expires')),
  };
}

/** A name in stored form. */
function nameOf(text: string): string {
  if (isBlank(text)) throw new UsageError('--name must have text.');
  return text.trim();
}

/** A day, or a point in time with its zone. */
function timeOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!isDay(text) && !isDateTime(text, 'with zone')) {
    throw new UsageError(
      `--expires must be a day such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z, not ${text}.`,
    );
  }
  const time = new Date(withoutLeapSecond(text));
  if (time.getTime() <= Date.now()) throw new UsageError(`--expires must be in the future, not ${text}.`);
  // In UTC, a time near the end of 9999 may have a five-digit year, which documents do not allow.
  if (time.getUTCFullYear() > 9_999) throw new UsageError(`--expires must be before the year 10000, not ${text}.`);
  return time.toISOString();
}

/** A time that has passed, in whole seconds. */
function pastTime(text: string): string {
  if (!isDateTime(text, 'with zone')) {
    throw new UsageError(`--at must be a time such as 2026-11-20T09:00:00Z, not ${text}.`);
  }
  const time = new Date(withoutLeapSecond(text));
  if (time.getTime() > Date.now()) throw new UsageError(`--at must be in the past, not ${text}.`);
  time.setMilliseconds(0);
  return time.toISOString();
}

export function recordId<Given extends string | null>(name: string, id: Given): Given {
  if (id === null || isRecordId(id)) return id;
  throw new UsageError(`${name} must be an id, not ${id}.`);
}

export function newMember(args: Arguments): NewMember {
  const email = args.required('email');
  const address = memberAddress(email);
  if (address === undefined) throw new UsageError(`--email must be an e-mail address, not ${email}.`);
  if (args.optional('table') !== undefined) {
    throw new UsageError('Use --stack instead of --table, because a table does not say where members sign in.');
  }
  return { address, permissions: permissionsOf(args, Permission.options) };
}

function permissionsOf(args: Arguments, standard: readonly Permission[]): Permission[] {
  const permissions = (args.values['permission'] as string[] | undefined) ?? standard;
  for (const permission of permissions) {
    if (!(Permission.options as readonly string[]).includes(permission)) {
      throw new UsageError(`Unknown permission: ${permission}. Must be one of ${Permission.options.join(', ')}.`);
    }
  }
  return [...new Set(permissions as Permission[])];
}

const unitMilliseconds: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The grace period of a rotated key, such as `24h`, with the limit of the management API. @throws UsageError */
export function graceMilliseconds(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === '') throw new UsageError(`--grace must be a time such as 30m, 24h or 7d, not ${text}.`);
  const milliseconds = Number(count) * (unitMilliseconds[unit] ?? 0);
  if (milliseconds > graceSecondsMax * 1_000) throw new UsageError(`--grace must be at most 7d, not ${text}.`);
  return milliseconds;
}

/** `table restore` of a lost table, or with `at` and `directory` of its records at a time. */
export function recovery(args: Arguments) {
  const at = args.optional('at');
  const backup = args.optional('backup');
  if (backup !== undefined && !/^arn:aws[a-z-]*:dynamodb:\S+\/backup\/\S+$/.test(backup)) {
    throw new UsageError(`--backup must be the ARN of a backup of DynamoDB, not ${backup}.`);
  }
  if (at !== undefined && backup !== undefined) throw new UsageError('Use only one of --at and --backup.');
  const lost = { stack: args.required('stack'), dryRun: args.isSet('dry-run'), backup };
  return { ...lost, ...(at !== undefined && { at: pastTime(at), directory: args.positional('DIR') }) };
}

export function responseFormat(args: Arguments): ResponseFormat {
  const format = args.optional('format') ?? 'csv';
  if (format === 'csv' || format === 'json') return format;
  throw new UsageError(`--format must be csv or json, not ${format}.`);
}
