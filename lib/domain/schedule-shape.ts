import type { Issue, JsonObject } from './input.ts';
import { orNull } from './schema-rules.ts';
import { TimeStamp } from './text/time-stamp.ts';
import { utcTime } from './text/utc-time.ts';

/** The members of a record with the times at which the service changes `published` (lib/spec/additions.md section 13). */
export const scheduleShape = { publishAt: orNull(TimeStamp), unpublishAt: orNull(TimeStamp) };

/** An end must be after the beginning. @param record which may be malformed */
export function scheduleIssues({ publishAt, unpublishAt }: JsonObject): Issue[] {
  if (typeof publishAt !== 'string' || typeof unpublishAt !== 'string') return [];
  const [begin, end] = [utcTime(publishAt), utcTime(unpublishAt)];
  if (begin === undefined || end === undefined || end > begin) return [];
  return [{ path: 'unpublishAt', code: 'not_allowed', message: 'Must be later than publishAt, or null.' }];
}
