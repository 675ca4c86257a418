import type { RecordPage, StoredRecord } from '#lib/client/records.ts';
import { type ScheduleMember, scheduleMembers } from '#lib/domain/schedule.ts';
import { localTime } from '../../../editing/moments.ts';

/** What happens to a record at a time. */
export interface Planned<Of> {
  readonly at: string;
  readonly member: ScheduleMember;
  readonly of: Of;
}

/** The times of records, in their order. A record that begins and ends has two. */
export function plannedOf<Of extends { readonly record: StoredRecord }>(records: readonly Of[]): Planned<Of>[] {
  const planned = records.flatMap((of) =>
    scheduleMembers.flatMap((member) => {
      const at = of.record[member];
      return typeof at === 'string' ? [{ at, member, of }] : [];
    }),
  );
  return planned.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** The days of a time zone on which something is planned, such as `2026-01-31`. */
export function byDay<Of>(planned: readonly Planned<Of>[], zone: string): ReadonlyMap<string, readonly Planned<Of>[]> {
  const days = new Map<string, Planned<Of>[]>();
  for (const each of planned) {
    const day = localTime(each.at, zone).slice(0, 'yyyy-mm-dd'.length);
    days.set(day, [...(days.get(day) ?? []), each]);
  }
  return days;
}

/** The records of a list that are looked through, the newest. */
export const lookedThroughMax = 1_000;

/** The records of a list that have a time. `isAll` is false if there are more records than are looked through. */
export async function scheduledIn(
  readPage: (query: { readonly limit: number; readonly cursor?: string }) => Promise<RecordPage>,
): Promise<{ readonly records: readonly StoredRecord[]; readonly isAll: boolean }> {
  const records: StoredRecord[] = [];
  for (let seen = 0, cursor: string | null | undefined; seen < lookedThroughMax; ) {
    const { data, next }: RecordPage = await readPage({ limit: 100, ...(cursor && { cursor }) });
    records.push(...data.filter((record) => scheduleMembers.some((member) => typeof record[member] === 'string')));
    seen += data.length;
    cursor = next;
    if (cursor === null) return { records, isAll: true };
  }
  return { records, isAll: false };
}
