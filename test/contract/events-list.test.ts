import { describe, expect, it } from '@jest/globals';
import { operator } from '#lib/domain/access/audit-event.ts';
import { positionAt } from '#lib/domain/events/position.ts';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { eventWrite } from '#lib/table/events/event-writes.ts';
import { Feed } from '#lib/table/events/feed.ts';
import { eventKeys } from '#lib/table/events/keys.ts';
import { newChangeId } from '#lib/table/log/change-log.ts';
import { call } from '#test/support/call.ts';
import { plainProduct as product } from '#test/support/plain-product.ts';
import { startTableProxy } from '#test/support/proxied-table.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, importFile, testTable } from '#test/support/world.ts';

const room = await openWorkspace('access');
const proxy = await startTableProxy();
const { admin } = room.keys;
const list = (query = '', key: string = admin, headers = {}) => call(`GET /api/v1/events?${query}`, { key, headers });
const manage = (request: string, body?: object, key: string = admin) =>
  call(`${request.replace(' ', ' /api/v1/manage/')}`, { key, ...(body && { body }) });

/** The last known end of the feed of each key, from which the next walk starts. */
const ends = new Map<string, string>();

/** The end of the feed. */
async function endOf(key: string = admin): Promise<string> {
  let after = ends.get(key) ?? '';
  for (let hasMore = true; hasMore; ) {
    const { json } = await list(`limit=100${after && `&after=${after}`}`, key);
    ({ next: after, hasMore } = json);
  }
  ends.set(key, after);
  return after;
}

/** The events that a change makes, as `type recordId`. */
async function eventsOf(change: () => Promise<unknown>, key: string = admin): Promise<Document[]> {
  const after = await endOf(key);
  await change();
  const { json } = await list(`limit=100&after=${after}`, key);
  expect(json.hasMore).toBe(false);
  return json.data;
}
const typesOf = async (change: () => Promise<unknown>, key?: string) =>
  (await eventsOf(change, key)).map(({ type, recordId, changed }) => [type, recordId, changed]);
describe('an event', () => {
  it('has the members of the specification, and no value', async () => {
    const [event, ...others] = await eventsOf(() => manage('PATCH members/mem_1', { name: 'Someone' }));
    expect(others).toEqual([]);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{21}$/),
      type: 'member.updated',
      at: expect.stringMatching(/Z$/),
      kind: 'members',
      recordId: 'mem_1',
      changed: ['name'],
      actor: { type: 'key', id: 'key_admin', name: 'admin' },
      requestId: expect.any(String),
    });
  });

  it.each<[string, () => Promise<unknown>, unknown[]]>([
    ['a new product', () => manage('PUT menu-products/prod_e', product('prod_e')), ['created', 'prod_e', []]],
    ['other values', () => manage('PATCH menu-products/prod_e', { position: 5 }), ['updated', 'prod_e', ['position']]],
    [
      'sold out',
      () => manage('PATCH menu-products/prod_e', { soldout: true }),
      ['availability_changed', 'prod_e', ['soldout']],
    ],
    [
      'sold out, and a price',
      () => manage('PATCH menu-products/prod_e', { soldout: false, position: 6 }),
      ['updated', 'prod_e', ['position', 'soldout']],
    ],
    [
      'unpublished',
      () => manage('PATCH menu-products/prod_e', { published: false }),
      ['unpublished', 'prod_e', ['published']],
    ],
    [
      'sold out as a draft',
      () => manage('PATCH menu-products/prod_e', { soldout: true }),
      ['availability_changed', 'prod_e', ['soldout']],
    ],
    [
      'published',
      () => manage('PATCH menu-products/prod_e', { published: true, position: 7 }),
      ['published', 'prod_e', ['position', 'published']],
    ],
    ['removed', () => manage('DELETE menu-products/prod_e'), ['deleted', 'prod_e', []]],
  ])('of a product: %s', async (_, change, [action, ...rest]) => {
    expect(await typesOf(change)).toEqual([[`menu_product.${action}`, ...rest]]);
  });

  it.each<[string, string, unknown, string[]]>([
    ['a value', 'chefs/chef_1', { values: { joined: '2026-02-02' } }, ['cms_entry.updated', 'values.joined']],
    ['the same value', 'chefs/chef_1', { values: { joined: '2026-02-02' } }, ['cms_entry.updated', 'updatedAt']],
    ['a draft', 'chefs/chef_1', { values: { published: false } }, ['cms_entry.unpublished', 'published']],
    ['public', 'chefs/chef_1', { values: { published: true } }, ['cms_entry.published', 'published']],
  ])('of the PATCH of an entry: %s', async (_, path, body, [type, changed]) => {
    const change = () => call(`PATCH /api/public/cms/${path}`, { key: admin, body: body as object });
    expect(await typesOf(change)).toEqual([[type, path, [changed]]]);
  });

  it('of a rotation names the secret, and of a key that is used there is none', async () => {
    const id = (await manage('POST api-keys', { name: 'New', permissions: [] })).json.id;
    expect(await typesOf(() => manage(`POST api-keys/${id}/rotate`, { graceSeconds: 0 }))).toEqual([
      ['api_key.updated', id, ['secret']],
    ]);
  });

  it('is not made by a write that changes nothing, or is refused', async () => {
    await manage('PUT menu-products/prod_same', product('prod_same'));
    const before = (await manage('GET menu-products/prod_same')).json;
    expect(
      await eventsOf(async () => {
        await manage('PUT menu-products/prod_same', before);
        await manage('PATCH menu-products/prod_same', { position: 'x' });
        await manage('PATCH menu-products/gone', { price: 1 });
        await manage('GET menu-products');
      }),
    ).toEqual([]);
  });

  it('is made for each change of a bulk edit', async () => {
    const changes = ['a', 'b'].map((id) => ({ method: 'PUT', kind: 'menu-products', id, record: product(id) }));
    expect(await typesOf(() => manage('POST changes', { changes }))).toEqual([
      ['menu_product.created', 'a', []],
      ['menu_product.created', 'b', []],
    ]);
  });

  it('of an import names the kinds that it has changed', async () => {
    const { version, workspace, members, menu } = room.document;
    const renamed = members.map((member: Document) => ({ ...member, name: `${member.name} II` }));
    const document = {
      version,
      workspace,
      members: renamed,
      menu,
      messaging: { customers: [{ id: 'c1', name: 'C' }] },
    };
    const events = await eventsOf(() => importFile(document as Document));
    expect(events.map(({ type, changed }) => [type, changed])).toEqual([
      ['workspace.imported', ['customers', 'members']],
    ]);
  });

  it('of an import is one, of the workspace', async () => {
    const { version, workspace } = room.document;
    const events = await eventsOf(() =>
      importFile({ version, workspace: { ...workspace, name: 'Other' } } as Document),
    );
    expect(events).toMatchObject([
      {
        type: 'workspace.imported',
        kind: 'workspace',
        recordId: room.workspaceId,
        changed: ['workspace'],
        actor: { type: 'operator' },
        requestId: null,
      },
    ]);
  });
});

describe('events of customers', () => {
  it('are made by a conversation, its messages and the records that they bring about', async () => {
    const talk = await openWorkspace('talk', (document) => {
      document.apiKeys.push({
        id: 'key_feed',
        name: 'feed',
        secret: `feed-secret-of-${document.workspace.id}`,
        permissions: [
          'events:event:read',
          'messaging:conversation:read',
          'messaging:customer:read',
          'messaging:channel:read',
        ],
      });
    });
    const key = `feed-secret-of-${talk.workspaceId}`;
    const open = () =>
      talk.send('POST', '', { channelIdentifier: 'new.example.com', customer: { externalId: 'crm-new', name: 'New' } });
    let id = '';
    const opened = await eventsOf(async () => {
      id = (await open()).json.id;
    }, key);
    expect(opened.map(({ type }) => type).sort()).toEqual([
      'channel.created',
      'conversation.created',
      'customer.created',
    ]);
    expect(await eventsOf(open, key)).toEqual([]);
    const sent = await eventsOf(() => talk.say(id, { senderType: 'member', text: 'Hello' }), key);
    expect(sent).toMatchObject([
      { type: 'message.created', kind: 'messages', recordId: expect.stringMatching(`^${id}/msg_`) },
    ]);
    await talk.send('PATCH', `/${id}`, { status: 'resolved' });
    const again = await typesOf(() => talk.say(id, { senderType: 'customer', text: 'Again' }), key);
    // They are of one transaction.
    expect(again.map(([type, , changed]) => [type, changed]).sort()).toEqual([
      ['conversation.updated', ['status']],
      ['message.created', []],
    ]);
  });
});

describe('the feed', () => {
  it('is walked in pages, from its beginning, an id, a position or a time', async () => {
    const all = (await list('limit=100')).json.data;
    const ids = all.map(({ id }: Document) => id);
    expect(ids).toEqual(ids.toSorted());
    const walked: unknown[] = [];
    let after = '';
    for (let hasMore = true; hasMore; ) {
      const { json } = await list(`limit=3${after && `&after=${after}`}`);
      expect(json.next).toBe(json.data.at(-1)?.id ?? after);
      walked.push(...json.data);
      ({ next: after, hasMore } = json);
    }
    expect(walked).toEqual(all);
    expect((await list(`limit=100&after=${ids[1]}`)).json.data).toEqual(all.slice(2));
    expect((await list(`limit=100&after=${all[2].at}`)).json.data).toEqual(
      all.filter(({ at }: Document) => at >= all[2].at),
    );
    expect((await list('after=2020-01-01T00:00:00Z&limit=1')).json.data).toEqual([all[0]]);
    expect((await list(`after=${after}`)).json).toEqual({ data: [], next: after, hasMore: false });
    const far = (await list('after=9999-01-01T00:00:00Z')).json;
    expect(far).toMatchObject({ data: [], hasMore: false });
    expect((await list(`after=${far.next}`)).json).toEqual(far);
  });

  it('shows the types that are asked for', async () => {
    const typed = async (types: string) => {
      const { data } = (await list(`limit=100&types=${types}`)).json;
      return [...new Set(data.map(({ type }: Document) => type))].sort();
    };
    expect(await typed('member.updated')).toEqual(['member.updated']);
    expect(await typed('cms_entry.*,api_key.created')).toEqual([
      'api_key.created',
      'cms_entry.published',
      'cms_entry.unpublished',
      'cms_entry.updated',
    ]);
    for (const types of ['*', 'member', 'member.gone', 'webhook', 'menu_product.imported', '.*']) {
      const { status, json } = await list(`types=${types}`);
      expect([status, json.code, json.errors[0].path]).toEqual([400, 'invalid_query', 'types']);
    }
  });

  it.each(['after=yesterday', 'after=evt_', 'after=evt_0', 'limit=0', 'limit=101', 'limit=1&limit=2'])(
    '?%s is 400',
    async (query) => {
      const { status, json } = await list(query);
      expect([status, json.code, json.errors[0].path]).toEqual([
        400,
        'invalid_query',
        query.slice(0, query.indexOf('=')),
      ]);
    },
  );

  it('is 304 until something happens', async () => {
    const after = await endOf();
    const first = await list(`after=${after}`);
    const tag = { 'if-none-match': first.headers['etag'] ?? '' };
    expect((await list(`after=${after}`, admin, tag)).status).toBe(304);
    await manage('PATCH members/mem_1', { name: 'Another' });
    expect((await list(`after=${after}`, admin, tag)).status).toBe(200);
  });

  it('shows a caller what it may read, and drafts only with the permission for them', async () => {
    const of = async (permissions: string[]) => {
      const { json } = await manage('POST api-keys', {
        name: 'Some',
        permissions: ['events:event:read', ...permissions],
      });
      return json.secret as string;
    };
    const [none, products, drafts, editor] = await Promise.all([
      of([]),
      of(['menu:product:read']),
      of(['menu:product:read', 'menu:product:read-unpublished']),
      of(['cms:entry:read']),
    ]);
    await manage('PUT menu-products/draft_1', product('draft_1', { published: false }));
    await manage('PUT menu-products/shown_1', product('shown_1'));
    await manage('PATCH menu-products/shown_1', { published: false });
    await manage('DELETE menu-products/shown_1');
    const seen = async (key: string) => {
      const { data } = (await list('limit=100&types=menu_product.*,cms_entry.*,member.*', key)).json;
      return data
        .filter(({ recordId }: Document) => /_1$/.test(recordId))
        .map(({ type, recordId }: Document) => `${type} ${recordId}`);
    };
    expect(await seen(none)).toEqual([]);
    expect(await seen(products)).toEqual(['menu_product.created shown_1', 'menu_product.unpublished shown_1']);
    expect(await seen(drafts)).toEqual([
      'menu_product.created draft_1',
      'menu_product.created shown_1',
      'menu_product.unpublished shown_1',
      'menu_product.deleted shown_1',
    ]);
    expect(new Set((await seen(editor)).map((text: string) => text.split('.')[0]))).toEqual(new Set(['cms_entry']));
    expect((await list('', room.keys.reader)).status).toBe(403);
    expect((await call('GET /api/v1/events')).status).toBe(401);
  });

  it('names no hidden field to a caller who does not see it, also after it is gone', async () => {
    const permissions = ['events:event:read', 'cms:entry:read', 'audit:event:read'];
    const { json: reader } = await manage('POST api-keys', { name: 'Reader', permissions });
    const field = { key: 'wage', name: { en: 'Wage' }, type: 'number', hidden: true };
    const title = { key: 'title', name: { en: 'Title' }, type: 'text', localized: true };
    await manage('PUT cms-models/staff', { name: { en: 'Staff' }, fields: [title, field] });
    const after = await endOf();
    await manage('PUT cms-entries/staff/one', { values: { title: { en: 'A' } } });
    await manage('PATCH cms-entries/staff/one', { values: { title: { en: 'B' }, wage: 1 } });
    await call('PATCH /api/public/cms/staff/one', { key: admin, body: { values: { wage: 2 } } });
    await manage('PUT cms-models/staff', { name: { en: 'Staff' }, fields: [title] });
    const changed = async (key: string) =>
      (await list(`types=cms_entry.*&after=${after}`, key)).json.data.map((event: Document) => event['changed']);
    expect(await changed(reader.secret)).toEqual([[], ['values.title.en'], []]);
    expect(await changed(admin)).toEqual([[], ['values.title.en', 'values.wage'], ['values.wage']]);
    const versions = await call('GET /api/v1/manage/cms-entries/staff/one/versions', { key: reader.secret });
    expect(versions.json.data.map((version: Document) => version['changed'])).toEqual([[], ['values.title.en'], []]);
    const audited = (path: string, key: string) => call(`GET /api/v1/manage/audit-events${path}`, { key });
    const events = await audited('?recordKind=cms-entries&recordId=staff%2Fone', reader.secret);
    expect(events.json.data.map((event: Document) => event['changed'])).toEqual([[], ['values.title.en'], []]);
    const [newest] = events.json.data;
    const [part, whole] = await Promise.all([reader.secret, admin].map((key) => audited(`/${newest.id}`, key)));
    expect([part?.json, whole?.json]).toEqual([newest, { ...newest, changed: ['values.wage'] }]);
    expect(part?.headers['etag']).not.toBe(whole?.headers['etag']);
  });

  it('has nothing of another workspace', async () => {
    const other = await openWorkspace('access');
    const { data } = (await list('limit=100', other.keys.admin)).json;
    expect(data.every(({ recordId }: Document) => recordId === other.workspaceId)).toBe(true);
  });
});

describe('the order of the feed', () => {
  const { workspaceId } = room;
  const event = (recordId: string) =>
    eventWrite({ workspaceId }, { kind: 'forms', recordId, action: 'updated', actor: operator, requestId: null });
  /** Stores an event as if its transaction had begun some time ago. */
  const store = (recordId: string, milliseconds = 0) => testTable().put(stored(recordId, Date.now() - milliseconds));
  const stored = (recordId: string, time: number) => {
    const item = event(recordId).Put?.Item ?? {};
    const id = `${positionAt(time)}${newChangeId().slice(9)}`;
    const record = JSON.stringify({ ...JSON.parse(String(item['record'])), id });
    return { ...item, ...eventKeys.event(workspaceId, id), record };
  };
  const follow = async (after: string, limit = 100): Promise<[string[], string]> => {
    const { data, next } = (await list(`limit=${limit}&after=${after}`)).json;
    return [data.map(({ recordId }: Document) => recordId), next];
  };

  it('never changes under a reader: an event that comes late is behind those that were seen', async () => {
    const start = await endOf();
    await store('seen_1');
    const [first, next] = await follow(start);
    expect(first).toEqual(['seen_1']);
    await store('late_1', 20_000);
    await store('late_2', 40_000);
    const [second, then] = await follow(next);
    expect(second.toSorted()).toEqual(['late_1', 'late_2']);
    expect(then.startsWith(`${next}~`)).toBe(true);
    await store('seen_2');
    await store('late_3', 30_000);
    const [third, end] = await follow(then);
    expect(third).toEqual(['late_3', 'seen_2']);
    expect(await follow(end)).toEqual([[], end]);
    // Everybody sees the same order, in pages of any size.
    const [all] = await follow(start);
    expect(all).toEqual([...first, ...second, ...third]);
    let after = start;
    for (const id of all) {
      const [page, next] = await follow(after, 1);
      expect(page).toEqual([id]);
      after = next;
    }
  });

  it('is the same from the id of an event that came late', async () => {
    const start = await endOf();
    await store('on_time');
    await follow(start);
    await store('too_late', 20_000);
    await store('last');
    const { data } = (await list(`after=${start}&limit=100`)).json;
    expect(data.map(({ recordId }: Document) => recordId)).toEqual(['on_time', 'too_late', 'last']);
    expect((await follow(data[1].id))[0]).toEqual(['last']);
  });

  it('leaves out nothing where a step ends between events and the places of those that came late', async () => {
    const time = Date.now() - 10 * 60_000;
    const placed = (recordId: string, at: number, place?: string) => {
      const item = stored(recordId, at);
      return { ...item, place: place ?? item.sk, placedAt: time };
    };
    const after = positionAt(time - 30_000);
    const many = (name: string, at: number) =>
      Array.from({ length: 1_020 }, (_, index) => placed(`${name}_${index}`, at + index));
    const busy = many('busy', time);
    const slow = placed('slow', time - 20_000, `${busy.at(-1)?.sk}~000001`);
    const ahead = placed('ahead', time + 85_000);
    const late = many('late', time + 61_000).map((item, index) => ({
      ...item,
      place: `${ahead.sk}~${String(index + 1).padStart(6, '0')}`,
    }));
    await putAll(testTable(), [...busy, slow, ahead, ...late]);
    await store('now');
    const names = (name: string) => Array.from({ length: 1_020 }, (_, index) => `${name}_${index}`);
    const expected = [...names('busy'), 'slow', 'ahead', ...names('late')];
    const feed = new Feed(testTable(), room);
    const seen: string[] = [];
    for (let next = after, isEnd = false, reads = 0; !isEnd && seen.length < expected.length; reads++) {
      expect(reads).toBeLessThan(10);
      const found = await feed.read(next);
      seen.push(...found.events.map(({ recordId }) => recordId));
      ({ next, isEnd } = found);
    }
    expect(seen.slice(0, expected.length)).toEqual(expected);
    // From the id of a late event, the feed goes on behind its place.
    expect((await follow(slow.sk, 1))[0]).toEqual(['ahead']);
    const { json } = await list(`after=${after}&types=conversation.deleted`);
    expect([json.data, json.hasMore]).toEqual([[], false]);
  });

  it('is read in steps when there are many, and a caller who sees few gets short pages', async () => {
    const start = await endOf();
    for (let count = 0; count < 4; count++)
      await putAll(
        testTable(),
        Array.from({ length: 300 }, (_, index) => event(`many_${count}_${index}`).Put?.Item as never),
      );
    const seen: string[] = [];
    let after = start;
    for (let hasMore = true, pages = 0; hasMore; pages++) {
      expect(pages).toBeLessThan(40);
      proxy.calls = [];
      const { json } = await list(`limit=100&after=${after}`);
      // A page does not wait until thousands of events have their places.
      expect(proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems').length).toBeLessThan(2);
      seen.push(...json.data.map(({ recordId }: Document) => recordId));
      ({ next: after, hasMore } = json);
    }
    expect([seen.length, new Set(seen).size]).toEqual([1_200, 1_200]);
    const { json } = await list(`limit=100&after=${start}&types=member.*`);
    expect(json.data).toEqual([]);
    expect(json.next > start).toBe(true);
  });
});
