import { describe, expect, it } from '@jest/globals';
import { wireBytes } from '#test/support/answers.ts';
import { callList, documentOf, pageOf, product, withProducts } from '#test/support/menu.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { load } from '#test/support/world.ts';

const fiveMegabytes = 5 * 1_048_576;
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}_${index}`);

/** A text of this size on the wire, where a quote is escaped twice. */
const heavy = (bytes: number): string => '"'.repeat(Math.floor(bytes / 4)) + 'x'.repeat(bytes % 4);

const tooLarge = (pattern: RegExp) => ({
  status: 400,
  json: {
    code: 'response_too_large',
    message: expect.stringMatching(pattern),
    errors: [{ path: 'limit', code: 'too_large', message: expect.stringMatching(pattern) }],
  },
});

/** Eight of them are a little smaller than an answer may be. */
const blocks = numbered('block', 9);
const described = (id: string, bytes: number) => product(id, { description: { en: heavy(bytes) } });
const large = await openWorkspace(
  'kitchen',
  withProducts([...blocks.map((id) => described(id, 640_000)), described('fill', 0)]),
);
const page = `limit=9&includeCmsData=false&ids=${blocks.slice(0, 8)},fill`;

describe('a page of large products', () => {
  it('accepts exactly 5 MB on the wire, and refuses one byte more (400)', async () => {
    const room = fiveMegabytes - wireBytes((await callList('products', large.keys.reader, page)).text);
    await load(documentOf(large, { menu: { products: [described('fill', room)] } }));
    const full = await callList('products', large.keys.reader, page);
    expect([full.status, wireBytes(full.text)]).toEqual([200, fiveMegabytes]);
    await load(documentOf(large, { menu: { products: [described('fill', room + 1)] } }));
    expect(await callList('products', large.keys.reader, page)).toMatchObject(tooLarge(/\blower limit\b/));
  });

  it('names the parameters to lower: only the limit with includeCmsData=false', async () => {
    const without = await callList('products', large.keys.reader, 'includeCmsData=false');
    expect(without).toMatchObject(tooLarge(/\blower limit\.$/));
    const by = await callList('products', large.keys.reader);
    expect(by).toMatchObject(tooLarge(/\blimit\b.*\bincludeCmsData=false\b/));
  });

  it('is answered with a lower limit (200)', async () => {
    expect((await pageOf('products', large.keys.reader, 'limit=8')).data).toHaveLength(8);
  });

  it('is refused for HEAD without a body (400)', async () => {
    const answer = await callList('products', large.keys.reader, '', 'HEAD');
    expect(answer).toMatchObject({ status: 400, text: '' });
  });
});

const dishes = {
  key: 'dishes',
  name: { en: 'Dishes' },
  type: 'relation',
  relation: { to: 'menu:product', many: true },
};
const fields = [{ key: 'text', name: { en: 'Text' }, type: 'longText' }, dishes];
const note = (id: string, products: readonly string[], text = '', modelId = 'notes') => ({
  id,
  modelId,
  values: { text, dishes: products },
});
const hundred = numbered('dish', 100);
const related = await openWorkspace(
  'kitchen',
  withProducts(
    [...hundred, 'one', 'two', 'alone'].map((id) => product(id)),
    ({ cms }) => {
      cms.models.push({ id: 'notes', name: { en: 'Notes' }, fields }, { id: 'fill', name: { en: 'Fill' }, fields });
      cms.entries.push(
        ...numbered('block', 4).map((id) => note(id, ['one'], heavy(1_240_000))),
        note('fill', ['one'], '', 'fill'),
        note('shared', ['one', 'two'], heavy(200_000), 'fill'),
        ...numbered('long', 1_000).map((id) => note(id, hundred, 'x'.repeat(6_000))),
      );
    },
  ),
);
const entriesOf = (id: string, query = '') => callList('products', related.keys.reader, `ids=${id}&${query}`);

describe('a page of products that many or large entries relate to', () => {
  it('accepts exactly 5 MB on the wire, and refuses one byte more (400)', async () => {
    await load(documentOf(related, { cms: { entries: [note('shared', ['two'], heavy(200_000), 'fill')] } }));
    const room = fiveMegabytes - wireBytes((await entriesOf('one')).text);
    await load(documentOf(related, { cms: { entries: [note('fill', ['one'], heavy(room), 'fill')] } }));
    const full = await entriesOf('one');
    expect([full.status, wireBytes(full.text)]).toEqual([200, fiveMegabytes]);
    await load(documentOf(related, { cms: { entries: [note('fill', ['one'], heavy(room + 1), 'fill')] } }));
    expect(await entriesOf('one')).toMatchObject(tooLarge(/\blimit\b.*\bincludeCmsData=false\b/));
  });

  it('counts an entry for every product that shows it', async () => {
    await load(documentOf(related, { cms: { entries: [note('fill', [], '', 'fill')] } }));
    expect((await entriesOf('one,two')).status).toBe(200);
    await load(documentOf(related, { cms: { entries: [note('shared', ['one', 'two'], heavy(200_000), 'fill')] } }));
    expect(await entriesOf('one,two')).toMatchObject(tooLarge(/\bincludeCmsData=false\b/));
  });

  it.each(['limit=100', 'limit=20', 'limit=1&ids=dish_7'])(
    'is refused for a query that cannot fit: %s (400)',
    async (query) => {
      const answer = await callList('products', related.keys.reader, query);
      expect(answer).toMatchObject(tooLarge(/\blimit\b.*\bincludeCmsData=false\b/));
    },
  );

  it('is answered with includeCmsData=false, and for products without related entries (200)', async () => {
    expect((await pageOf('products', related.keys.reader, 'limit=100&includeCmsData=false')).data).toHaveLength(100);
    expect((await pageOf('products', related.keys.reader, 'ids=alone')).data).toHaveLength(1);
  });
});
