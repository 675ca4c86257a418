import { schedule } from '#lib/domain/access/audit-event.ts';
import { afterTimeOf, type Scheduled } from '#lib/domain/schedule.ts';
import { type DueWork, dueWorker } from '#lib/due/due-worker.ts';
import { auditedWrite } from '#lib/manage/audited-write.ts';
import { scheduledRules as rules } from '#lib/manage/scheduled-kinds.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { ScheduledWork } from '#lib/table/due/schedule-writes.ts';
import { HeldByImport } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { applyChange, ChangeRefused } from '#lib/table/writer/apply-change.ts';
import type { DecidedChange, WrittenRecord } from '#lib/table/writer/change.ts';
import { storedRecord } from '#lib/table/writer/first-reads.ts';

export const scheduledChange: DueWork<ScheduledWork> = {
  type: 'schedule',
  name: 'A scheduled change',
  lanes: 8,
  neededMilliseconds: 5_000,

  async handle(work, { table }) {
    try {
      if (work.member === 'unpublishAt') await beginBefore(table, work);
      await changePublished(table, work);
      return 'done';
    } catch (error) {
      if (error instanceof HeldByImport) return 'later';
      // The record, or its database, is gone.
      if (error instanceof ChangeRefused && error.reason === 'missing') return 'done';
      throw error;
    }
  },
};

/** Runs on a schedule: makes the changes whose times have come (lib/spec/additions.md section 13). */
export const handler = dueWorker(scheduledChange);

/** After an outage both times of a record may be due. The end must not come before the beginning. */
async function beginBefore(table: Table, work: ScheduledWork): Promise<void> {
  const { record } = await storedRecord(rules[work.kind].storage, table, work, work);
  const { publishAt, unpublishAt } = (record ?? {}) as Partial<ScheduledRecord>;
  if (typeof publishAt === 'string' && unpublishAt === work.at)
    await changePublished(table, { ...work, member: 'publishAt', at: publishAt });
}

/**
 * Makes the change, unless it was made or the record has another time now. Its transaction also removes the due item, so
 * no second attempt finds anything to do.
 * @throws ChangeRefused, HeldByImport, Unavailable
 */
async function changePublished(table: Table, work: ScheduledWork): Promise<void> {
  const { workspaceId, kind, modelId, id } = work;
  const scope = { workspaceId };
  const [{ languages = [] } = {}, schema] = await Promise.all([
    findWorkspace(table, workspaceId),
    modelId === undefined ? undefined : readCmsSchema(table, scope),
  ]);
  const isOfDatabase = modelId !== undefined;
  if (isOfDatabase && !schema?.models.has(modelId)) throw new ChangeRefused('missing');
  const change: DecidedChange = {
    kind,
    ...(isOfDatabase && { modelId }),
    id,
    decide: async ({ record }) => (record ? after(work, record as ScheduledRecord) : null),
  };
  const context = { languages, ...(schema && { schema }) };
  const author = { principal: { workspaceId, actor: schedule, member: undefined }, requestId: null };
  const write = { kind, rules: rules[kind], id: isOfDatabase ? `${modelId}/${id}` : id, verb: 'update' } as const;
  await applyChange(rules[kind].storage, table, scope, change, {
    now: new Date().toISOString(),
    ...context,
    // The end of a member alone has no event and no version.
    additionalWrites: (applied, revisions) =>
      isPublished(applied.before) === isPublished(applied.after)
        ? {}
        : auditedWrite(table, author, write, context, applied, revisions),
  });
}

type ScheduledRecord = WrittenRecord & Scheduled;

/** A change of `published` moves `updatedAt`; the end of the member alone does not. */
function after({ member, at }: ScheduledWork, record: ScheduledRecord): ScheduledRecord {
  if (record[member] !== at) return record;
  const next = afterTimeOf(member, record);
  return next.published === record.published ? next : { ...next, updatedAt: undefined };
}

const isPublished = (record: object | undefined) => (record as ScheduledRecord | undefined)?.published;
