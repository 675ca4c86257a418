import { afterAll, expect, it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { shiftedClock } from '#test/support/history/run-history.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys, manage } = await openWorkspace('records');
const containers = await Containers.start(0);
for (const milliseconds of [15_000, -15_000]) containers.open(shiftedClock(milliseconds));
afterAll(() => containers[Symbol.asyncDispose]());

const inTurn = async (request: string, bodies: readonly object[]): Promise<void> => {
  for (const [number, body] of bodies.entries()) {
    const { status } = await containers.at(number % 2).call(request, { key: keys.all, body });
    expect(status).toBe(200);
  }
};
const names = ['One', 'Two', 'Three', 'Four'];

await manage('PUT cms-models/notes', {
  name: { en: 'Notes' },
  fields: [{ key: 'title', name: { en: 'Title' }, type: 'text' }],
});
await manage('PUT cms-entries/notes/note_1', { values: { title: 'Zero' } });

it.each([
  ['menu-products/prod_1', 'PATCH', names.map((en) => ({ name: { en } }))],
  ['cms-models/notes', 'PATCH', names.map((en) => ({ name: { en } }))],
  ['cms-entries/notes/note_1', 'PATCH', names.map((title) => ({ values: { title } }))],
  ['workspace', 'PATCH', names.map((name) => ({ name }))],
])(
  '%s has its versions in the order of its changes, although the clocks of two containers differ by 30 s',
  async (path, method, bodies) => {
    await inTurn(`${method} /api/v1/manage/${path}`, bodies);
    const { data } = (await manage(`GET ${path}/versions?limit=4`)).json;
    expect(data.map(({ action }: { action: string }) => action)).toEqual(names.map(() => 'update'));
    expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true, false, false, false]);
    const events = (await manage(`GET audit-events?recordId=${path.split('/').slice(1).join('/')}&limit=4`)).json.data;
    expect(events.map(({ id }: { id: string }) => id)).toEqual(data.map(({ id }: { id: string }) => id));
  },
);

it('an update of the contract is the newest version, too', async () => {
  await inTurn(
    'PATCH /api/public/cms/notes/note_1',
    names.map((title) => ({ values: { title } })),
  );
  const { data } = (await manage('GET cms-entries/notes/note_1/versions?limit=4')).json;
  expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([true, false, false, false]);
});
