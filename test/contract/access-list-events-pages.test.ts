import { describe, expect, it } from '@jest/globals';
import { putAll } from '#lib/table/dynamodb/write-all.ts';
import { eventKeys } from '#lib/table/events/keys.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const {
  keys: { admin },
  workspaceId,
} = await openWorkspace('access');
const list = (query: string) => call(`GET /api/v1/manage/audit-events?${query}`, { key: admin });

const begin = Date.UTC(2026, 5, 1);
const stamp = (milliseconds: number) => new Date(begin + milliseconds).toISOString();
const timeAt = (milliseconds: number) => encodeURIComponent(stamp(milliseconds));

/** Two events every 10 ms; one in a thousand is of a form. */
const count = 6_000;
const events = Array.from({ length: count }, (_, number) => {
  const time = begin + 10 * Math.floor(number / 2);
  return {
    id: `evt_${time.toString(36).padStart(9, '0')}${number.toString(16).padStart(12, '0')}`,
    at: new Date(time).toISOString(),
    actor: { type: 'key', id: 'key_till', name: 'Till' },
    action: 'update',
    recordKind: number % 1_000 === 0 ? 'forms' : 'menu-products',
    recordId: `r_${number}`,
    changed: [],
    requestId: null,
  };
});
await putAll(
  testTable(),
  events.map((event) => ({ ...eventKeys.auditEvent(workspaceId, event.id), record: JSON.stringify(event) })),
);
const newest = events.toReversed();
const bounds = `since=${timeAt(0)}&until=${timeAt(10 * count)}`;

async function walk(query: string): Promise<{ readonly ids: string[]; readonly sizes: number[] }> {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, json } = await list(`${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    sizes.push(json.data.length);
    cursor = json.next;
  }
  return { ids, sizes };
}

describe('a page of audit events', () => {
  it('has the requested number of events, however many others lie between them', async () => {
    const forms = newest.filter(({ recordKind }) => recordKind === 'forms');
    const { ids, sizes } = await walk(`limit=2&recordKind=forms&${bounds}`);
    expect(ids).toEqual(forms.map(({ id }) => id));
    expect(sizes).toEqual([2, 2, 2]);
    expect((await walk(`limit=2&q=r_3000&${bounds}`)).sizes).toEqual([1]);
  });
});

describe('since and until of audit events', () => {
  const between = (since: number, until: number) =>
    newest.filter((event) => event.at >= stamp(since) && event.at < stamp(until)).map(({ id }) => id);

  it.each([
    ['equal instants', 1_000, 1_000, 0],
    ['until before since', 1_010, 1_000, 0],
    ['one instant with two events', 1_000, 1_001, 2],
    ['an interval that includes its start and excludes its end', 1_000, 1_030, 6],
  ])('select %s', async (_, since, until, length) => {
    for (const limit of [1, 4, 100]) {
      const { ids } = await walk(`limit=${limit}&since=${timeAt(since)}&until=${timeAt(until)}`);
      expect(ids).toEqual(between(since, until));
      expect(ids).toHaveLength(length);
    }
  });

  it('accept any time zone, and cut off fractions of a millisecond', async () => {
    const zoned = 'since=2026-06-01T03:00:01%2B03:00&until=2026-05-31T23:30:01.020-00:30';
    expect((await walk(zoned)).ids).toEqual(between(1_000, 1_020));
    const fine = 'since=2026-06-01T00:00:01.0009Z&until=2026-06-01T00:00:01.0209Z';
    expect((await walk(fine)).ids).toEqual(between(1_000, 1_020));
  });

  it('accept times long before and after all events', async () => {
    expect((await list('since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z&limit=1')).json.data).toHaveLength(1);
    expect((await list('until=1970-01-01T00:00:00Z')).json).toEqual({ data: [], next: null });
    expect((await list('since=9999-01-01T00:00:00Z')).json).toEqual({ data: [], next: null });
  });

  it.each(['2026-06-01', '2026-13-01T00:00:00Z', '2026-06-01T00:00:00', '1780272000000', 'now'])(
    'refuse %s, which is not a time with a zone',
    async (text) => {
      for (const name of ['since', 'until']) {
        const { status, json } = await list(`${name}=${text}`);
        expect([status, json.code, json.errors[0].path]).toEqual([400, 'invalid_query', name]);
      }
    },
  );

  it("are part of a cursor's list", async () => {
    const { next } = (await list(`limit=2&since=${timeAt(100)}`)).json;
    expect((await list(`limit=2&since=${timeAt(100)}&cursor=${next}`)).json.data).toHaveLength(2);
    for (const query of ['', `&since=${timeAt(101)}`, `&since=${timeAt(100)}&until=${timeAt(200)}`]) {
      const { status, json } = await list(`limit=2${query}&cursor=${next}`);
      expect([status, json.errors[0].path]).toEqual([400, 'cursor']);
    }
  });
});
