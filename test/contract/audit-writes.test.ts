import { afterAll, describe, expect, it } from '@jest/globals';
import { listEvents } from '#lib/access/audit-log.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { AuditEvents } from '#lib/table/access/stored-events.ts';
import { transact } from '#lib/table/dynamodb/transact.ts';
import { eventKeys } from '#lib/table/events/keys.ts';
import { call } from '#test/support/call.ts';
import { Engines, runCommandLine } from '#test/support/command-line.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load, testTable } from '#test/support/world.ts';

const { keys, workspaceId } = await openWorkspace('kitchen');
const other = await openWorkspace('kitchen');
const service = await Engines.open();
afterAll(() => service.stop());

const events = async (filter: object = {}, workspace = workspaceId) =>
  (await listEvents(testTable(), { workspaceId: workspace }, { ...filter, limit: 100 })).data;
const newest = async () => (await events())[0];
const patch = (path: string, values: object, headers = {}) =>
  call(`PATCH /api/public/cms/${path}`, { key: keys.chief, headers, body: { values } });
const chief = { type: 'key', id: 'key_chief', name: 'chief' };

describe('an update of an entry', () => {
  it('records an event with the members of the specification, without values', async () => {
    const { headers } = await patch('chefs/chef_1', { name: { en: 'Secret recipe' }, phone: '+966511111111' });
    expect(await newest()).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{21}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: chief,
      action: 'update',
      recordKind: 'cms-entries',
      recordId: 'chefs/chef_1',
      changed: ['values.name.en', 'values.phone'],
      // No answer has this member.
      hidden: ['values.phone'],
      requestId: headers['x-request-id'],
    });
    const stored = await testTable().get(eventKeys.auditEvent(workspaceId, (await newest())?.id ?? ''));
    expect(JSON.stringify(stored)).not.toMatch(/Secret|96651/);
    expect(Number(stored?.['ttl'])).toBeCloseTo(Date.now() / 1_000 + 400 * 24 * 60 * 60, -3);
  });

  it('records one event if the entry appears nowhere, and if its idempotency key is repeated', async () => {
    const before = (await events()).length;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    for (let time = 0; time < 2; time++)
      expect((await patch('things/thing_1', { amount: 3 }, headers)).status).toBe(200);
    expect((await patch('things/thing_1', { amount: 4 })).status).toBe(200);
    expect(await events()).toHaveLength(before + 2);
  });

  it('records no event when it is refused or has no values', async () => {
    const before = await events();
    for (const values of [{}, { nope: 1 }, { name: { en: null, ar: null } }]) await patch('chefs/chef_1', values);
    expect(await events()).toEqual(before);
  });

  it('records one event each if many run in parallel', async () => {
    const before = (await events()).length;
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((amount) =>
        patch('things/thing_1', amount % 2 ? { amount } : { rich: { en: `${amount}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await events()).toHaveLength(before + 8);
  });
});

describe('an import', () => {
  it('records one event by the operator, and none when it changes nothing', async () => {
    expect((await events()).at(-1)).toMatchObject({
      actor: { type: 'operator', id: 'operator', name: 'Operator' },
      action: 'import',
      recordKind: 'workspace',
      recordId: workspaceId,
      changed: [],
      requestId: null,
    });
    expect(await events({}, other.workspaceId)).toHaveLength(1);
    await load(other.document);
    expect(await events({}, other.workspaceId)).toHaveLength(1);
    await load({ ...other.document, workspace: { ...other.document.workspace, name: 'Other' } });
    expect(await events({}, other.workspaceId)).toHaveLength(2);
  });
});

describe('the commands for keys', () => {
  it('record events by the operator, and none when they change nothing', async () => {
    const run = async (...args: string[]) => {
      const { code, out } = await runCommandLine(['key', ...args, '--workspace', workspaceId, '--url', service.url]);
      expect(code).toBe(0);
      return /^Key (\w+)/.exec(out)?.[1] ?? '';
    };
    const id = await run('create', '--name', 'New');
    await run('rotate', id);
    await run('revoke', id);
    await run('revoke', id);
    const of = await events({ recordKind: 'api-keys', recordId: id });
    expect(of.map(({ action, changed, actor }) => [action, changed, actor.type])).toEqual([
      ['update', ['revokedAt'], 'operator'],
      ['rotate', [], 'operator'],
      ['create', [], 'operator'],
    ]);
  });
});

describe('a page of events', () => {
  const record = { recordKind: 'forms', recordId: 'form_1' };
  const actor = { type: 'member', id: 'mem_1', name: 'Lina' } as const;
  const make = async (changes: object) => {
    const audited = { actor, action: 'update', ...record, changed: ['title.en'], requestId: null } as const;
    const write = auditWrite({ workspaceId }, { ...audited, ...changes });
    await transact(testTable(), write);
  };

  it('is found by record, actor and time, newest first, at any page size', async () => {
    for (let number = 0; number < 5; number++) {
      await make({ requestId: `a${number}` });
      await make({ requestId: `b${number}`, recordId: 'form_2' });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const ids = (list: readonly { requestId: string | null }[]) => list.map(({ requestId }) => requestId);
    expect(ids(await events(record))).toEqual(['a4', 'a3', 'a2', 'a1', 'a0']);
    expect(await events({ actorId: 'mem_1' })).toHaveLength(10);
    expect(await events({ actorId: 'mem_1', recordKind: 'forms', recordId: 'form_2' })).toHaveLength(5);
    expect(await events({ actorId: 'mem_1', recordKind: 'agents' })).toEqual([]);
    const [, , second, third] = await events(record);
    const since = Date.parse(third?.at ?? '');
    const until = Date.parse(second?.at ?? '');
    expect(ids(await events({ ...record, since, until }))).toEqual(['a1']);
    const seen: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await listEvents(testTable(), { workspaceId }, { actorId: 'mem_1', limit: 3, cursor });
      seen.push(...ids(page.data));
      cursor = page.next ?? undefined;
    } while (cursor);
    expect(seen).toEqual(ids(await events({ actorId: 'mem_1' })));
  });

  it('shows nothing of another workspace, nothing expired, and nothing for a malformed id', async () => {
    const [event] = await events(record);
    expect(await new AuditEvents(testTable(), other).find(event?.id ?? '')).toBeUndefined();
    expect(await events(record, other.workspaceId)).toEqual([]);
    expect(await events({ actorId: 'mem_1#x' })).toEqual([]);
    const later = { now: Date.now() + 401 * 24 * 60 * 60 * 1_000 };
    const all = new AuditEvents(testTable(), { workspaceId });
    const read = all.newestFirst({}, { after: undefined, count: 100, isSearch: false, ...later });
    expect(await Array.fromAsync(read)).toEqual([]);
    expect(await all.find(event?.id ?? '', later.now)).toBeUndefined();
  });

  it('reads an event with a thousand paths for a few read units', async () => {
    const changed = Array.from({ length: 1_000 }, (_, number) => `values.field_${number}.en`);
    await make({ changed, recordId: 'form_many' });
    expect((await events({ recordKind: 'forms', recordId: 'form_many' }))[0]?.changed).toEqual(changed);
    const [event] = await events({ recordKind: 'forms', recordId: 'form_many' });
    const stored = await testTable().get(eventKeys.auditEvent(workspaceId, event?.id ?? ''));
    const zipped = stored?.['zipped'];
    expect(zipped instanceof Uint8Array && zipped.length < 8_000).toBe(true);
  });
});
