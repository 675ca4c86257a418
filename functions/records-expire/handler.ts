import type { Context, ScheduledEvent } from 'aws-lambda';
import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { timeOfAttachment } from '#lib/domain/messaging/attachment-key.ts';
import type { Notification } from '#lib/domain/messaging/notification.ts';
import { tableFor } from '#lib/due/due-worker.ts';
import { logWork } from '#lib/http/log.ts';
import { itemsBefore } from '#lib/table/dated-records.ts';
import { findRecord, recordOf } from '#lib/table/record-of.ts';
import { removeFile, removeRecord } from '#lib/table/removals.ts';
import { isRecordOver, keptSince } from '#lib/table/retention.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Table } from '#lib/table/table.ts';
import { listWorkspaces } from '#lib/table/workspaces.ts';

/** A step begins while there is as much time: it reads a page, or removes a few records. */
export const stepMilliseconds = 15_000;
const lanes = 8;

/** A run in one workspace. */
interface Run {
  readonly table: Table;
  readonly isTimeLeft: () => boolean;
}

/**
 * Readers no longer see a record from the end of its time on. This only removes it. A run that is cut off is continued
 * by the next one: what belongs to a record is removed before the record.
 */
export async function handler(_: ScheduledEvent, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> {
  if (keptSince('formResponse') === undefined && keptSince('conversation') === undefined) return;
  const table = tableFor(AbortSignal.timeout(context.getRemainingTimeInMillis() - 1_000));
  const isTimeLeft = () => context.getRemainingTimeInMillis() > stepMilliseconds;
  const failures: unknown[] = [];
  for (const { id: workspaceId } of inTurn(await listWorkspaces(table))) {
    if (!isTimeLeft()) break;
    try {
      await removeFrom({ workspaceId }, { table: table.uncached(), isTimeLeft });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Begins with another one in each run, so that a long backlog delays no workspace for ever. */
function inTurn<Each>(all: readonly Each[]): readonly Each[] {
  const start = Math.floor(Math.random() * all.length);
  return [...all.slice(start), ...all.slice(0, start)];
}

async function removeFrom(scope: WorkspaceScope, run: Run): Promise<void> {
  const responses = await removeEach(run, responsesOver(scope, run), (item) => removeResponse(run.table, scope, item));
  const notifications = await removeEach(run, notificationsOver(scope, run), (item) =>
    removeRecord(run.table, scope, 'notification', item),
  );
  if (responses + notifications === 0) return;
  logWork('info', 'Records were removed whose time is over.', { ...scope, responses, notifications });
}

async function* responsesOver(scope: WorkspaceScope, { table }: Run): AsyncGenerator<Item> {
  const since = keptSince('formResponse');
  if (since !== undefined) yield* itemsBefore(table, scope, 'formResponse', since);
}

async function* notificationsOver(scope: WorkspaceScope, { table }: Run): AsyncGenerator<Item> {
  const [latest] = [keptSince('formResponse') ?? '', keptSince('conversation') ?? ''].sort().reverse();
  for await (const item of itemsBefore(table, scope, 'notification', latest ?? '')) {
    if (isRecordOver('notification', recordOf<Notification>(item))) yield item;
  }
}

/** Removes a few items at a time, as long as there is time. @returns how many */
async function removeEach(
  { isTimeLeft }: Run,
  items: AsyncGenerator<Item>,
  remove: (item: Item) => Promise<void>,
): Promise<number> {
  let removed = 0;
  const lane = async () => {
    while (isTimeLeft()) {
      const { value: item, done } = await items.next();
      if (done) return;
      await remove(item);
      removed++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return removed;
}

/** The files go first, so that none is left behind without the response that names it. */
async function removeResponse(table: Table, scope: WorkspaceScope, item: Item): Promise<void> {
  const response = recordOf<FormResponse>(item);
  const form = await findRecord<Form>(table, scope, 'form', response.formId);
  for (const id of filesOf(response, form)) await removeFile(table, scope, id);
  await removeRecord(table, scope, 'formResponse', item);
}

/** The answers to FILE fields, and to fields that the form no longer has. A text that looks like an id names no file. */
function filesOf({ answers }: FormResponse, form: Form | undefined): string[] {
  const typeOf = (ref: string) => form?.fields.find((field) => field.ref === ref)?.type ?? 'FILE';
  return Object.entries(answers)
    .filter(([ref]) => typeOf(ref) === 'FILE')
    .flatMap(([, answer]) => [answer].flat().map(String))
    .filter((id) => timeOfAttachment(id) !== undefined);
}
