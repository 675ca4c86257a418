import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '#lib/domain/access/principal.ts';
import { responsePage } from '#lib/manage/answer-list.ts';
import { newMeter, tableClient } from '#lib/table/dynamodb/client.ts';
import { Table } from '#lib/table/table.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import type { Document } from '#test/support/world.ts';
import { load, testTable } from '#test/support/world.ts';

const time = (seconds: number) => new Date(Date.UTC(2026, 3, 1) + seconds * 1_000);
/** Not made by the service, because the ids that are stored already keep this format. */
const idAt = (seconds: number) =>
  `res_${time(seconds).getTime().toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`;
const response = (id: string, seconds: number, formId = 'form_1') => ({
  id,
  formId,
  answers: { note: `number x${seconds}` },
  createdAt: time(seconds).toISOString(),
});
const plain = (id: string, seconds: number) => response(id, seconds, 'form_2');

/** Records with ids of the service, with ids of documents, and with times that contradict their ids. */
const made = Array.from({ length: 300 }, (_, index) => response(idAt(10 * index), 10 * index));
const given = [plain('a', 15), plain('zz', 2_985), plain('res_zz', -5), plain('res_', 100)];
const misplaced = [plain(idAt(5), 2_995), plain(idAt(2_000), 7), plain('res_0199', 1_234), plain('res_019b', 1_234)];
const all = [...made, ...given, ...misplaced];

const inOrder = (records: readonly { id: string; createdAt: string }[]) =>
  records.toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1)).map(({ id }) => id);

const kitchen = await openWorkspace('records', (document: Document) => {
  document.formResponses = all;
});
const { manage, workspaceId } = kitchen;

async function walk(query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, json } = await manage(`GET form-responses?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    cursor = json.next;
  }
  return ids;
}

describe('a list by time', () => {
  it.each([['limit=37'], ['limit=100'], ['limit=100&q=number']])(
    'contains all records in order, one time each: %s',
    async (query) => {
      expect(await walk(query)).toEqual(inOrder(all));
    },
  );

  it.each([
    ['formId=form_2', all.filter(({ formId }) => formId === 'form_2')],
    ['formId=form_1', made],
    ['q=x1234', misplaced.slice(2)],
  ])('contains the matching records: %s', async (query, wanted) => {
    expect(await walk(`limit=50&${query}`)).toEqual(inOrder(wanted));
  });
});

describe('a list of large responses', () => {
  it('has shorter pages, so that what strangers have sent never makes it unreadable', async () => {
    const large = (id: string, seconds: number) => ({
      ...response(id, seconds),
      answers: { note: '"'.repeat(150_000) },
    });
    const many = [
      ...Array.from({ length: 14 }, (_, index) => large(idAt(index), index)),
      ...Array.from({ length: 4 }, (_, index) => large(`given_${index}`, 4 * index)),
    ];
    const own = await openWorkspace('records', (document: Document) => {
      document.formResponses = many;
    });
    for (const query of ['limit=100', 'formId=form_1&limit=5']) {
      const ids: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, json } = await own.manage(`GET form-responses?${query}${cursor && `&cursor=${cursor}`}`);
        expect([status, json.code]).toEqual([200, undefined]);
        expect(json.data.length).toBeGreaterThan(4 - 4 * Number(json.next === null));
        ids.push(...json.data.map(({ id }: { id: string }) => id));
        cursor = json.next;
      }
      expect(ids).toEqual(inOrder(many));
    }
  });

  it('has pages without a match, so that a search never reads more than one request can', async () => {
    const large = (seconds: number) => ({
      ...response(idAt(seconds), seconds),
      answers: { note: '"'.repeat(150_000) },
    });
    const found = [plain(idAt(5), 5), plain('given', 3), plain(idAt(60), 60)];
    const own = await openWorkspace('records', (document: Document) => {
      document.formResponses = [...found, ...Array.from({ length: 18 }, (_, index) => large(10 + index))];
    });
    for (const query of ['q=number', 'formId=form_2']) {
      const pages: string[][] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { status, json } = await own.manage(`GET form-responses?${query}${cursor && `&cursor=${cursor}`}`);
        expect(status).toBe(200);
        pages.push(json.data.map(({ id }: { id: string }) => id));
        cursor = json.next;
      }
      expect(pages).toEqual([[found[2]?.id], [], [found[0]?.id, 'given']]);
    }
  });
});

describe('since and until of a list by time', () => {
  const at = (seconds: number) => encodeURIComponent(time(seconds).toISOString());
  const between = (since: number, until: number) =>
    made.filter(({ createdAt }) => createdAt >= time(since).toISOString() && createdAt < time(until).toISOString());

  it.each([
    ['equal instants', 1_000, 1_000, 0],
    ['until before since', 1_010, 1_000, 0],
    ['one instant', 1_000, 1_000.001, 1],
    ['an interval with both ends', 1_000, 1_100, 10],
  ])('select %s', async (_, since, until, count) => {
    const found = await walk(`limit=4&formId=form_1&since=${at(since)}&until=${at(until)}`);
    expect(found).toEqual(inOrder(between(since, until)));
    expect(found).toHaveLength(count);
  });

  it('accept any time zone, and cut off fractions of a millisecond', async () => {
    const wanted = inOrder(between(1_000, 1_020));
    const zoned = 'since=2026-04-01T03:16:40%2B03:00&until=2026-03-31T23:47:00-00:30';
    expect(await walk(`formId=form_1&${zoned}`)).toEqual(wanted);
    const fine = 'since=2026-04-01T00:16:40.0009Z&until=2026-04-01T00:17:00.0009Z';
    expect(await walk(`formId=form_1&${fine}`)).toEqual(wanted);
  });

  it('accept times long before and after all records', async () => {
    expect(await walk('limit=100&since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z')).toEqual(
      await walk('limit=100'),
    );
    expect(await walk('until=1970-01-01T00:00:00Z')).toEqual([]);
    expect(await walk('since=9999-01-01T00:00:00Z')).toEqual([]);
  });

  it.each(['2026-04-01', '2026-13-01T00:00:00Z', '2026-04-01T00:00:00', '1775001600000', 'now'])(
    'refuse %s, which is not a time with a zone',
    async (text) => {
      for (const name of ['since', 'until']) {
        const { status, json } = await manage(`GET form-responses?${name}=${text}`);
        expect([status, json.code, json.errors[0].path]).toEqual([400, 'invalid_query', name]);
      }
    },
  );

  it("are part of a cursor's list", async () => {
    const { next } = (await manage(`GET form-responses?limit=2&since=${at(100)}`)).json;
    expect((await manage(`GET form-responses?limit=2&since=${at(100)}&cursor=${next}`)).json.data).toHaveLength(2);
    for (const query of ['', `&since=${at(101)}`, `&since=${at(100)}&until=${at(200)}`]) {
      const { status, json } = await manage(`GET form-responses?limit=2${query}&cursor=${next}`);
      expect([status, json.errors[0].path]).toEqual([400, 'cursor']);
    }
  });
});

const client = tableClient('request');
afterAll(() => client.destroy());

describe('a page costs', () => {
  it('the read of its own records, whatever the number of others', async () => {
    const unitsOf = async (limit: number) => {
      const meter = newMeter();
      const table = new Table({ client, name: testTable().name, meter });
      const own = { formId: undefined, since: undefined, until: undefined };
      const principal = { workspaceId } as Principal;
      const { records } = await responsePage(
        { table, principal },
        { list: 'responses', limit, words: [], kindParameters: own },
      );
      expect(records).toHaveLength(limit);
      return meter.readUnits;
    };
    // Four small reads for records of documents and the form, and a unit for 4 KB of responses. All 300 would cost 18.
    expect(await unitsOf(10)).toBeLessThanOrEqual(10);
    expect(await unitsOf(100)).toBeLessThanOrEqual(16);
  });
});

describe('a list that changes', () => {
  it('continues in order while records are created, removed and imported', async () => {
    const [, first, second] = made as [unknown, { id: string }, { id: string }];
    await manage(`DELETE form-responses/${first.id}`);
    await manage(`DELETE form-responses/${misplaced[1]?.id}`);
    const left = all.filter(({ id }) => id !== first.id && id !== misplaced[1]?.id);
    expect(await walk('limit=50')).toEqual(inOrder(left));
    // A record that was removed and made again may have another time.
    const document = await exported(workspaceId);
    await manage(`DELETE form-responses/${second.id}`);
    const again = document.formResponses.find(({ id }: { id: string }) => id === second.id);
    again.createdAt = time(9_999).toISOString();
    await load(document);
    expect((await walk('limit=50'))[0]).toBe(second.id);
    expect(await walk('limit=50')).toHaveLength(left.length);
  });
});
