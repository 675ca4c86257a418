import { schedule } from '#lib/domain/access/audit-event.ts';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { happened } from '#lib/domain/events/happened.ts';
import { afterTimeOf, type Scheduled } from '#lib/domain/schedule.ts';
import { type DueWork, dueWorker } from '#lib/due/due-worker.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { readCmsSchema } from '#lib/table/cms/cms-schema.ts';
import type { ScheduledWork } from '#lib/table/due/schedule-writes.ts';
import { HeldByImport } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { applyChange } from '#lib/table/writer/apply-change.ts';
import { ChangeRefused, type DecidedChange, type WriteContext, type WrittenRecord } from '#lib/table/writer/change.ts';
import { entryRules } from '#lib/table/writer/entry-rules.ts';
import { menuRules } from '#lib/table/writer/record-rules.ts';

export const scheduledChange: DueWork<ScheduledWork> = {
  type: 'schedule',
  name: 'A scheduled change',
  lanes: 8,
  neededMilliseconds: 5_000,

  async handle(work, { table }) {
    try {
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

/**
 * Makes the change, unless it was made or the record has another time now. Its transaction also removes the due item, so
 * no second attempt finds anything to do.
 * @throws ChangeRefused, HeldByImport, Unavailable
 */
async function changePublished(table: Table, work: ScheduledWork): Promise<void> {
  const { workspaceId, kind, modelId, id } = work;
  const scope = { workspaceId };
  const change: DecidedChange = {
    kind,
    ...(modelId !== undefined && { modelId }),
    id,
    decide: async ({ record }) => (record ? after(work, record as ScheduledRecord) : null),
  };
  const context = { now: new Date().toISOString(), additionalWrites: audited(scope, work) } satisfies WriteContext;
  if (modelId === undefined) {
    await applyChange(menuRules, table, scope, change, context);
    return;
  }
  const schema = await readCmsSchema(table, scope);
  if (!schema.models.has(modelId)) throw new ChangeRefused('missing');
  await applyChange(entryRules, table, scope, change, { ...context, schema });
}

type ScheduledRecord = WrittenRecord & Scheduled;

/** A change of `published` moves `updatedAt`; the end of the member alone does not. */
function after({ member, at }: ScheduledWork, record: ScheduledRecord): ScheduledRecord {
  if (record[member] !== at) return record;
  const next = afterTimeOf(member, record);
  return next.published === record.published ? next : { ...next, updatedAt: undefined };
}

/** The audit event of a change of `published`. */
const audited =
  (scope: WorkspaceScope, { kind, modelId, id, member }: ScheduledWork): WriteContext['additionalWrites'] =>
  ({ before, after }) => {
    const [was, is] = [before, after] as [Scheduled, Scheduled];
    if (was.published === is.published) return {};
    const changed = [member, 'published'].sort();
    const recordKind = kind === 'cmsEntry' ? 'cms-entries' : 'menu-products';
    return auditWrite(scope, {
      actor: schedule,
      action: 'update',
      recordKind,
      recordId: modelId === undefined ? id : `${modelId}/${id}`,
      changed,
      requestId: null,
      happened: happened(recordKind, was, is, changed),
    });
  };
