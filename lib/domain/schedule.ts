import type { scheduleShape } from './schedule-shape.ts';

/** The members of a record with times (schedule-shape.ts). */
export type ScheduleMember = keyof typeof scheduleShape;

/** In the order of their times: a record ends after it has begun. */
export const scheduleMembers = ['publishAt', 'unpublishAt'] as const satisfies readonly ScheduleMember[];

export interface Scheduled {
  readonly published: boolean;
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
}

/** A record after the time of a member: that is null, and `published` is what it has announced. */
export const afterTimeOf = <Stored extends Partial<Scheduled>>(member: ScheduleMember, record: Stored): Stored => ({
  ...record,
  published: member === 'publishAt',
  [member]: null,
});

/**
 * Applies the times that have passed. If both have, the record is unpublished.
 * @param record of any kind; most have no times
 * @param now in milliseconds since 1970
 */
export const withPassedTimes = <Stored extends Partial<Scheduled>>(record: Stored, now = Date.now()): Stored =>
  passedIn(record, now).reduce((current, member) => afterTimeOf(member, current), record);

/** Forgets the times that have passed, for a former version of a record. */
export function withoutPassedTimes<Stored extends Partial<Scheduled>>(record: Stored, now = Date.now()): Stored {
  const passed = passedIn(record, now).map((member) => [member, null] as const);
  return passed.length === 0 ? record : { ...record, ...Object.fromEntries(passed) };
}

const passedIn = (record: Partial<Scheduled>, now: number): ScheduleMember[] =>
  scheduleMembers.filter((member) => Date.parse(record[member] ?? '') <= now);
