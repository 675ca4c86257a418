import { type Scheduled, type ScheduleMember, scheduleMembers } from '#lib/domain/schedule.ts';
import type { Item, Key, TransactItem } from '../table.ts';
import { dueKey } from './keys.ts';

/** A record that can be published at a time. */
export interface ScheduledRecord {
  readonly kind: 'cmsEntry' | 'menuProduct';
  /** The database of an entry. */
  readonly modelId?: string | undefined;
  readonly id: string;
}

/** A change that is due at a time of a record, as due work of the type `schedule`. */
export interface ScheduledWork extends ScheduledRecord {
  readonly workspaceId: string;
  readonly member: ScheduleMember;
  /** The time that the record had then. With another one, it has another item. */
  readonly at: string;
}

type Times = Pick<Scheduled, ScheduleMember>;
type GivenTimes = Partial<Times> | undefined;

/**
 * The writes that set, move or remove the due items of a record, for the transaction of its change. A change that leaves
 * the times as they are has none.
 */
export const scheduleWrites = (
  workspaceId: string,
  record: ScheduledRecord,
  before: GivenTimes,
  after: GivenTimes,
): TransactItem[] =>
  scheduleMembers.flatMap((member) => {
    const [former, next] = [before?.[member] ?? null, after?.[member] ?? null];
    if (former === next) return [];
    return [
      ...(former === null ? [] : [{ Delete: { Key: keyOf(workspaceId, record, member, former) } }]),
      ...(next === null ? [] : [{ Put: { Item: itemOf(workspaceId, record, member, next) } }]),
    ];
  });

/** The due items of a record, for an import. Those of its former times find another time in the record when they are due. */
export const scheduleItems = (workspaceId: string, record: ScheduledRecord & Partial<Times>): Item[] =>
  scheduleMembers.flatMap((member) => {
    const at = record[member];
    return typeof at === 'string' ? [itemOf(workspaceId, record, member, at)] : [];
  });

function keyOf(workspaceId: string, { kind, modelId, id }: ScheduledRecord, member: ScheduleMember, at: string): Key {
  const address = [kind, ...(modelId === undefined ? [] : [modelId]), id, member].join('/');
  return dueKey({ type: 'schedule', group: workspaceId, id: address, dueAt: Date.parse(at) });
}

function itemOf(workspaceId: string, record: ScheduledRecord, member: ScheduleMember, at: string): Item {
  const { kind, modelId, id } = record;
  const work: ScheduledWork = { workspaceId, kind, id, ...(modelId !== undefined && { modelId }), member, at };
  return { ...keyOf(workspaceId, record, member, at), ...work };
}
