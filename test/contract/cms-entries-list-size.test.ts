import { describe, expect, it } from '@jest/globals';
import { wireBytes } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { isLongRun, itLong } from '#test/support/long-run.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const fiveMegabytes = 5 * 1_048_576;

/** A quote is escaped twice on the wire, so this text takes four times its length. */
const blocks = [4, 3, 2, 1].map((number) => ({ id: `block_${number}`, text: '"'.repeat(310_000) }));
const inList = (parts: readonly object[]) => parts;
const inRoot = (parts: readonly object[]) => [{ id: 'root_1', parts }];

/** The text that makes the answer with the blocks exactly 5 MB. */
function filling(answer: (parts: readonly object[]) => unknown): string {
  const room = fiveMegabytes - wireBytes(JSON.stringify(answer([{ id: 'fill', text: '' }, ...blocks])));
  return 'é'.repeat(Math.floor(room / 2)) + 'x'.repeat(room % 2);
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}_${1_000 + i}`);
const leaves = numbered('leaf', 501);
const knots = numbered('knot', 40);

/** Oldest first, by database. */
const entries: Record<string, readonly { readonly id: string; readonly [field: string]: unknown }[]> = {
  knots: knots.map((id) => ({ id, parts: knots })),
  blocks: [...blocks, { id: 'over', text: `${filling(inList)}x` }],
  ...(isLongRun && {
    leaves: leaves.map((id) => ({ id })),
    branches: [
      ...numbered('branch', 100).map((id) => ({ id, parts: leaves.slice(1) })),
      { id: 'branch_over', parts: leaves },
    ],
    blocks: [
      { id: 'into', text: filling(inRoot) },
      { id: 'past', text: `${filling(inRoot)}x` },
      { id: 'fits', text: filling(inList) },
      ...blocks,
      { id: 'over', text: `${filling(inList)}x` },
    ],
    roots: [
      { id: 'root_1', parts: ['into', 'block_1', 'block_2', 'block_3', 'block_4'] },
      { id: 'root_2', parts: ['past', 'block_1', 'block_2', 'block_3', 'block_4'] },
    ],
  }),
};
const partsOf: Record<string, string> = { knots: 'knots', branches: 'leaves', roots: 'blocks' };

const { keys } = await openWorkspace('kitchen', ({ cms }) => {
  for (const [modelId, list] of Object.entries(entries)) {
    const relation = { to: `cms:${partsOf[modelId]}`, many: true };
    const parts = { key: 'parts', name: { en: 'Parts' }, type: 'relation', relation };
    const text = { key: 'text', name: { en: 'Text' }, type: 'longText' };
    cms.models.push({ id: modelId, name: { en: modelId }, fields: partsOf[modelId] ? [text, parts] : [text] });
    cms.entries.push(
      ...list.map(({ id, ...values }, index) => {
        const createdAt = new Date(Date.UTC(2026, 0, 1) + index).toISOString();
        return { id, modelId, createdAt, values };
      }),
    );
  }
});
const get = (address: string) => call(`GET /api/public/cms/${address}`, { key: keys.reader });
const tooLarge = (path: string) => ({
  status: 400,
  json: {
    code: 'response_too_large',
    message: expect.stringContaining(path),
    errors: [{ path, code: 'too_large', message: expect.stringContaining(path) }],
  },
});

describe('an answer of many related entries', () => {
  itLong('is sent with 50,000 of them', async () => {
    const { status, json, headers } = await get('branches/list?limit=100&offset=1&maxDepth=1&fields=parts(id)');
    expect(status).toBe(200);
    expect(json).toHaveLength(100);
    expect(new Set(json.map(({ parts }: { parts: unknown[] }) => parts.length))).toEqual(new Set([500]));
    expect(headers['x-cms-max-depth']).toBe('1');
  });

  itLong('is refused with 50,001 of them when the depth was given (400)', async () => {
    const answer = await get('branches/list?limit=100&maxDepth=1&fields=parts(id)');
    expect(answer).toMatchObject(tooLarge('maxDepth'));
  });

  itLong('is less deep without a given depth, and reports its depth', async () => {
    const { status, json, headers } = await get('branches/list?limit=100&fields=parts(id)');
    expect([status, headers['x-cms-max-depth']]).toEqual([200, '0']);
    expect(json).toHaveLength(100);
    expect(json[0].parts).toHaveLength(501);
  });

  it('counts an entry each time that it is shown', async () => {
    const deepest = await get('knots/list?limit=1&maxDepth=2&fields=parts(parts(parts))');
    expect(deepest).toMatchObject({ status: 200, headers: { 'x-cms-max-depth': '2' } });
    expect(deepest.json[0].parts[39].parts[39].parts[39]).toEqual({ id: 'knot_1039' });
    expect(await get('knots/list?limit=1&maxDepth=3&fields=parts(parts(parts))')).toMatchObject(tooLarge('maxDepth'));
    const open = await get('knots/list?limit=1&fields=parts(parts(parts))');
    expect(open.headers['x-cms-max-depth']).toBe('2');
    expect(open.text).toBe(deepest.text);
  });

  it('has the same depth for every entry of the page', async () => {
    const { json, headers } = await get('knots/list?limit=40&fields=parts');
    expect(headers['x-cms-max-depth']).toBe('1');
    const below = json.flatMap(({ parts }: { parts: { parts: object[] }[] }) => parts.flatMap((part) => part.parts));
    expect(below).toHaveLength(64_000);
    expect(below.every((stub: object) => Object.keys(stub).join() === 'id')).toBe(true);
  });
});

describe('an answer of 5 MB on the wire', () => {
  itLong('is sent with exactly 5 MB, at any depth', async () => {
    const flat = await get('blocks/list?limit=5&offset=1&fields=text');
    const deep = await get('roots/list?limit=1&offset=1&maxDepth=1&fields=parts(text)');
    expect([flat.status, wireBytes(flat.text)]).toEqual([200, fiveMegabytes]);
    expect([deep.status, wireBytes(deep.text)]).toEqual([200, fiveMegabytes]);
  });

  itLong('is refused with one byte more when the depth was given (400)', async () => {
    expect(await get('roots/list?limit=1&maxDepth=1&fields=parts(text)')).toMatchObject(tooLarge('maxDepth'));
  });

  itLong('is less deep without a given depth, and reports its depth', async () => {
    const { status, json, headers } = await get('roots/list?limit=1&fields=parts(text)');
    expect([status, headers['x-cms-max-depth']]).toEqual([200, '0']);
    expect(json[0].parts[0]).toEqual({ id: 'past' });
  });

  it.each(isLongRun ? ['', '&maxDepth=0', '&maxDepth=1', '&maxDepth=6'] : [''])(
    'is refused with the advice of a lower limit when no depth would help%s',
    async (depth) => {
      expect(await get(`blocks/list?limit=5&fields=text${depth}`)).toMatchObject(tooLarge('limit'));
    },
  );

  itLong('can be avoided with fewer fields or entries', async () => {
    expect((await get('blocks/list?limit=8&fields=id')).json).toHaveLength(8);
    expect((await get('blocks/list?limit=4&fields=text')).json).toHaveLength(4);
  });
});

describe('one entry that exceeds an answer', () => {
  itLong('is refused when the depth was given (400)', async () => {
    expect(await get('roots/root_2?maxDepth=1&fields=parts(text)')).toMatchObject(tooLarge('maxDepth'));
  });

  itLong('is less deep without a given depth (200)', async () => {
    const { status, json, headers } = await get('roots/root_2?fields=parts(text)');
    expect([status, headers['x-cms-max-depth']]).toEqual([200, '0']);
    expect(json.parts[0]).toEqual({ id: 'past' });
  });
});
