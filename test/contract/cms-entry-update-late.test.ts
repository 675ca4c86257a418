import { describe, expect, it } from '@jest/globals';
import { CmsEntries } from '#lib/table/cms/cms-entries.ts';
import { updateByPath, wasApplied } from '#lib/table/cms/entry-write.ts';
import { newChangeId } from '#lib/table/collection/head.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const label = { key: 'label', name: { en: 'Label' }, type: 'text' };
const { keys, workspaceId } = await openWorkspace('kitchen', ({ cms }) => {
  cms.models.push({ id: 'loners', name: { en: 'Loners' }, fields: [label] });
  cms.entries.push(...['one', 'two'].map((id) => ({ id, modelId: 'loners', values: { label: 'before' } })));
});
const find = async (id: string) => {
  const entry = await new CmsEntries(testTable(), { workspaceId }).find('loners', id);
  if (!entry) throw new Error(id);
  return entry;
};
const update = (id: string, text: string) =>
  call(`PATCH /api/public/cms/loners/${id}`, { key: keys.chief, body: { values: { label: text } } });

async function writeOf(id: string, text: string, changeId = newChangeId()) {
  const entry = await find(id);
  const write = {
    published: undefined,
    fields: [{ key: 'label', localized: false, value: text, hasParent: false }],
    values: {},
    updatedAt: new Date().toISOString(),
    revision: `revision of ${text}`,
    id: changeId,
    writesBefore: entry.writes,
    onlyIfUnchanged: false,
  };
  const expression = updateByPath(write);
  if (!expression) throw new Error('It fits one expression.');
  return { write, send: () => testTable().update(entry, expression) };
}

describe('an update that arrives twice', () => {
  it('is applied one time, and reverts no update that was answered in between', async () => {
    for (const round of ['first', 'second']) {
      const { write, send } = await writeOf('one', `early ${round}`);
      await send();
      expect((await update('one', `later ${round}`)).status).toBe(200);
      const late = await send().then(
        () => undefined,
        (error) => error,
      );
      expect(late).toBeInstanceOf(ConditionFailed);
      // This tells the writer that its update was applied.
      expect(wasApplied(write, late.item)).toBe(true);
      expect((await find('one')).values['label']).toBe(`later ${round}`);
    }
  });

  it('leaves its mark for a few minutes only', async () => {
    const time = (Date.now() - 3 * 60_000).toString(36).padStart(9, '0');
    const old = `${time}${newChangeId().slice(9)}`;
    await (await writeOf('two', 'old', old)).send();
    expect(Object.keys((await find('two')).writes ?? {})).toEqual([old]);
    await update('two', 'new');
    expect(Object.keys((await find('two')).writes ?? {})).toEqual([expect.not.stringMatching(old)]);
  });
});
