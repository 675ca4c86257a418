import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ScheduledEvent } from 'aws-lambda';
import { handler } from '#functions/records-expire/handler.ts';
import { newDatedId } from '#lib/table/dated-ids.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { dueItems } from '#test/support/due-items.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { allItems, openOwnTable } from '#test/support/own-table.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

await openOwnTable();
const { start } = freezeDate();
const day = 24 * 60 * 60_000;

/** A time of this number of days ago. */
const ago = (days: number, milliseconds = 0): string => new Date(start - days * day + milliseconds).toISOString();
const responseId = (at: string): string => newDatedId('res_', new Date(at));
const fileId = (at: string, end: string): string =>
  `att_${Date.parse(at).toString(36).padStart(9, '0')}${end.padStart(24, '0')}`;

const edge = ago(30);
const past = ago(30, -1);
const [old, other, kept] = [responseId(past), responseId(ago(400)), responseId(edge)];
/** Its id says another time than its record. */
const misplaced = responseId(ago(1));
const gone = [old, other, misplaced, 'from_a_document'];
const [oldFile, namedInText, freshFile] = [fileId(past, '1'), fileId(past, '2'), fileId(edge, '3')];
const fields = [
  { id: 'ff_1', ref: 'cv', title: { en: 'CV' }, type: 'FILE', order: 1 },
  { id: 'ff_2', ref: 'note', title: { en: 'Note' }, type: 'TEXT', order: 2 },
];

const open = (): Promise<Workspace<'records'>> =>
  openWorkspace('records', (document) => {
    const { id } = document.workspace;
    document.forms[0].fields = fields;
    document.attachments = [oldFile, namedInText, freshFile].map((file) => ({
      id: file,
      name: `${file}.pdf`,
      s3Key: `workspaces/${id}/drive/messaging/2026-01/${file}/file.pdf`,
      type: 'application/pdf',
      size: 5,
      createdAt: past,
    }));
    document.formResponses = [
      { id: old, formId: 'form_1', answers: { cv: [oldFile], note: namedInText }, createdAt: past },
      { id: other, formId: 'form_2', answers: {}, createdAt: ago(400) },
      { id: misplaced, formId: 'form_2', answers: {}, createdAt: ago(31) },
      { id: 'from_a_document', formId: 'form_2', answers: {}, createdAt: ago(3_000) },
      { id: kept, formId: 'form_1', answers: { cv: [freshFile] }, createdAt: edge },
    ];
    document.notifications = [old, kept].map((formResponseId, index) => ({
      id: `not_${index}`,
      type: 'form_response',
      formId: 'form_1',
      formResponseId,
      readAt: null,
      createdAt: index === 0 ? past : edge,
    }));
  });

const run = (milliseconds = 60_000) =>
  handler({ time: new Date().toISOString() } as ScheduledEvent, { getRemainingTimeInMillis: () => milliseconds });
const idsIn = async ({ manage }: Workspace<'records'>, path: string): Promise<string[]> => {
  const { json } = await manage(`GET ${path}`);
  return json.data.map(({ id }: { id: string }) => id).sort();
};
const itemsNaming = async ({ workspaceId }: Workspace<'records'>, ids: readonly string[]): Promise<string[]> =>
  (await allItems())
    .filter(({ pk }) => pk.includes(workspaceId) && !pk.startsWith('AUDIT#'))
    .filter((item) => ids.some((id) => JSON.stringify(item).includes(id)))
    .map(({ pk, sk }) => `${pk} ${sk}`);

beforeEach(() => {
  process.env['RESPONSE_DAYS'] = '30';
});

afterEach(() => {
  delete process.env['RESPONSE_DAYS'];
});

it('responses whose time is over are in no answer and no export, before anything has removed them', async () => {
  const room = await open();
  expect(await idsIn(room, 'form-responses')).toEqual([kept]);
  expect(await idsIn(room, 'form-responses?formId=form_2')).toEqual([]);
  expect(await idsIn(room, `form-responses?since=${ago(4_000)}`)).toEqual([kept]);
  expect(await idsIn(room, 'notifications')).toEqual(['not_1']);
  for (const id of gone) {
    expect(await room.manage(`GET form-responses/${id}`)).toMatchObject({ status: 404 });
    expect(await room.manage(`DELETE form-responses/${id}`)).toMatchObject({ status: 404 });
  }
  expect(await room.manage('PATCH notifications/not_0', { readAt: ago(0) })).toMatchObject({ status: 404 });
  const document = await exportedFromScan(room.workspaceId);
  expect(document.formResponses.map(({ id }: { id: string }) => id)).toEqual([kept]);
  expect(document.notifications.map(({ id }: { id: string }) => id)).toEqual(['not_1']);
  // They do not keep their form either.
  expect(await room.manage('DELETE forms/form_2')).toMatchObject({ status: 204 });
  expect(await room.manage('DELETE forms/form_1')).toMatchObject({ status: 409 });
});

it('a run removes them with their names, notifications and files, and nothing else', async () => {
  const room = await open();
  const before = await allItems();
  await run();
  expect(await itemsNaming(room, [...gone, 'not_0'])).toEqual([]);
  // The sweep of attachments removes the bytes.
  const [queued, ...more] = (await dueItems('upload')).filter(({ workspaceId }) => workspaceId === room.workspaceId);
  expect([queued?.['record'], queued?.['givenUp'], more]).toEqual([expect.stringContaining(oldFile), true, []]);
  const attachments = await idsIn(room, 'attachments');
  expect(attachments).toEqual([namedInText, freshFile].sort());
  const left = new Set((await allItems()).map(({ pk, sk }) => `${pk} ${sk}`));
  const removed = before.filter(({ pk, sk }) => pk.includes(room.workspaceId) && !left.has(`${pk} ${sk}`));
  const naming = [...gone, 'not_0', oldFile];
  expect(removed.filter((item) => !naming.some((id) => JSON.stringify(item).includes(id)))).toEqual([]);
  expect((await room.manage(`GET form-responses/${kept}`)).json.files.cv).toMatchObject([{ name: `${freshFile}.pdf` }]);
});

it('a run without time, or without the setting, removes nothing, and the next one all', async () => {
  const room = await open();
  await run(10_000);
  expect(await itemsNaming(room, [old])).not.toEqual([]);
  process.env['RESPONSE_DAYS'] = '';
  await run();
  expect(await idsIn(room, 'form-responses')).toEqual([...gone, kept].sort());
  process.env['RESPONSE_DAYS'] = '30';
  await Promise.all([run(), run()]);
  expect(await itemsNaming(room, gone)).toEqual([]);
});

it('a longer time shows again what no run has removed yet', async () => {
  const room = await open();
  expect(await idsIn(room, 'form-responses')).toEqual([kept]);
  process.env['RESPONSE_DAYS'] = '31';
  expect(await idsIn(room, 'form-responses')).toEqual([kept, misplaced, old].sort());
  process.env['RESPONSE_DAYS'] = '999999999';
  expect(await idsIn(room, 'form-responses')).toEqual([...gone, kept].sort());
});
