import { expect, it } from '@jest/globals';
import { exportRecords } from '#lib/workspace/export-records.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const fields = [field('name', 'TEXT'), field('tags', 'MULTI_SELECT'), field('n', 'NUMBER'), field('ok', 'CHECKBOX')];

it('stored submits are exported and imported unchanged', async () => {
  const forms = await openWorkspace(
    'forms',
    withForms([form('open', fields, { notifications: { emails: ['a@example.com'] } })]),
  );
  const { workspaceId, document } = forms;
  await forms.submit('open', {});
  await forms.submit('open', {
    name: 'نور "\\\u2028',
    tags: ['b', 'a'],
    n: '-1.5e-7',
    ok: 'on',
    _z: 1,
    _a: { z: 1, a: [] },
  });
  const stored = await forms.stored();
  expect(stored.responses).toHaveLength(2);
  const exported = { formResponses: [] as object[], notifications: [] as object[] };
  for await (const { kind, record } of exportRecords(testTable(), workspaceId)) {
    if (kind === 'formResponse') exported.formResponses.push(record);
    if (kind === 'notification') exported.notifications.push(record);
  }
  expect(exported.formResponses).toEqual(stored.responses);
  expect(exported.notifications).toEqual(stored.notifications);
  const again = JSON.parse(JSON.stringify({ version: 1, workspace: document.workspace, ...exported }));
  expect((await load(again)).changed).toBe(0);
  expect(await forms.stored()).toEqual(stored);
});
