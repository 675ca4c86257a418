import { afterEach, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { manage } = await openWorkspace('records');
afterEach(() => {
  delete process.env['HISTORY_DAYS'];
});

const { itIs } = freezeDate();
const hour = 60 * 60_000;

interface Row {
  readonly id: string;
  readonly action: string;
}
const rowsOf = async (path: string): Promise<Row[]> => (await manage(`GET ${path}/versions`)).json.data;

it('versions end after HISTORY_DAYS, and the state before the oldest one stays', async () => {
  process.env['HISTORY_DAYS'] = '1';
  const path = 'agents/agent_1';
  await manage(`PATCH ${path}`, { name: 'One' });
  itIs(hour);
  await manage(`PATCH ${path}`, { name: 'Two' });
  const [second, first] = await rowsOf(path);
  itIs(24 * hour + 1);
  const rows = await rowsOf(path);
  expect(rows.map(({ id, action }) => [id === second?.id, action])).toEqual([
    [true, 'update'],
    [false, 'import'],
  ]);
  expect((await manage(`GET ${path}/versions/${first?.id}`)).status).toBe(404);
  expect((await manage(`GET ${path}/versions/${rows[1]?.id}`)).json.name).toBe('One');
  itIs(25 * hour + 1);
  expect(await rowsOf(path)).toEqual([]);
});

it('without days there are no versions, and restores are refused', async () => {
  const path = 'agents/agent_2';
  await manage(`PATCH ${path}`, { name: 'One' });
  const [version] = await rowsOf(path);
  itIs(1);
  process.env['HISTORY_DAYS'] = '0';
  await manage(`PATCH ${path}`, { name: 'Two' });
  expect(await rowsOf(path)).toEqual([]);
  expect((await manage(`GET ${path}/versions/${version?.id}`)).status).toBe(404);
  expect(issuesOf(await manage(`POST ${path}/restore`, { version: version?.id }))).toEqual(['version not_found']);
  await manage(`DELETE ${path}`);
  expect(issuesOf(await manage(`POST ${path}/restore`, { version: version?.id }))).toEqual(['version not_found']);
  expect((await manage('GET deleted')).json).toEqual({ data: [], next: null });
  process.env['HISTORY_DAYS'] = '90';
  expect((await rowsOf(path)).map(({ id, action }) => [id === version?.id, action])).toEqual([
    [true, 'update'],
    [false, 'import'],
  ]);
});

it('values of a field that was hidden when it was removed stay hidden', async () => {
  const fields = [
    { key: 'title', name: { en: 'Title' }, type: 'text' },
    { key: 'secret', name: { en: 'Secret' }, type: 'text', hidden: true },
  ];
  await manage('PUT cms-models/hiding', { name: { en: 'Hiding' }, fields });
  await manage('PUT cms-entries/hiding/one', { values: { title: 'T', secret: 'S' } });
  await manage('PUT cms-models/hiding', { name: { en: 'Hiding' }, fields: fields.slice(0, 1) });
  const [row] = await rowsOf('cms-entries/hiding/one');
  const { json } = await manage('POST api-keys', { name: 'Reader', permissions: ['cms:entry:read'] });
  const read = await call(`GET /api/v1/manage/cms-entries/hiding/one/versions/${row?.id}`, { key: json.secret });
  expect(read.json.values).toEqual({ title: 'T' });
  expect((await manage(`GET cms-entries/hiding/one/versions/${row?.id}`)).json.values.secret).toBe('S');
  // Nothing is stored under its key any more, so anybody may make such a field for all.
  await manage('PATCH cms-entries/hiding/one', { values: { title: 'U' } });
  await manage('PUT cms-models/hiding', {
    name: { en: 'Hiding' },
    fields: fields.map((field) => ({ ...field, hidden: false })),
  });
  const again = await call(`GET /api/v1/manage/cms-entries/hiding/one/versions/${row?.id}`, { key: json.secret });
  expect(again.json.values).toEqual({ title: 'T' });
});
