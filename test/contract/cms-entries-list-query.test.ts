import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { ageState } from '#test/support/old-log.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { type Document, load } from '#test/support/world.ts';

const field = (key: string, type: string, more: object = {}) => ({ key, name: { en: key }, type, ...more });
const options = ['hot', 'New', 'S, M', 'a\\', 'a\\,b', 'b'].map((value) => ({ value, label: {} }));
const fields = [
  field('name', 'text', { localized: true }),
  field('title', 'text'),
  field('story', 'longText'),
  field('rank', 'number'),
  field('active', 'boolean'),
  field('day', 'date'),
  field('moment', 'datetime'),
  field('mail', 'email'),
  field('desk', 'phone'),
  field('size', 'select', { options }),
  field('tags', 'multiSelect', { options }),
  field('chef', 'relation', { relation: { to: 'cms:chefs', many: false } }),
  field('chefs', 'relation', { relation: { to: 'cms:chefs', many: true } }),
  field('data', 'json'),
  field('left', 'text', { indexed: false }),
  field('secret', 'text', { hidden: true }),
];
const entry = (id: string, day: number, values: object, more: object = {}) => ({
  id,
  modelId: 'dishes',
  createdAt: `2026-01-0${day}T09:00:00.000Z`,
  updatedAt: `2026-02-0${day}T09:00:00.000Z`,
  values,
  ...more,
});
const fiftyOne = Array.from({ length: 51 }, (_, index) => `chef_${index}`);
const entries = [
  entry('a', 1, {
    name: { en: 'Kabsa', ar: 'كَبسة' },
    title: 'Äpfel',
    rank: 2,
    day: '2026-01-31',
    moment: '2026-01-31T12:00:00+03:00',
    size: 'hot',
    tags: ['hot', 'New'],
    chef: 'chef_1',
    chefs: ['chef_2', 'chef_1'],
    active: true,
  }),
  entry('b', 2, {
    name: { en: 'mandi' },
    title: ' ',
    story: 'IŞILTILI, Işıltılı',
    rank: -5,
    moment: '2026-01-31T09:00:00.5Z',
    mail: 'lina@example.com',
    desk: '٠٢ ٥٥٥\u00a0٠١٠٠ #٧',
    tags: ['hot'],
    active: false,
  }),
  entry('c', 3, {
    chefs: ['chef_2'],
    mail: 'chef@BÄCKEREI.example',
    title: 'x'.repeat(201),
    story: `${'y'.repeat(200)}hidden`,
    rank: 10,
  }),
  entry('d', 4, { chefs: fiftyOne, name: { ar: 'زعتر ١٢ kız' }, title: 'apfel' }, { published: false }),
];
const change = ({ cms }: Document) => {
  cms.models.push({ id: 'dishes', name: { en: 'Dishes' }, fields });
  cms.entries.push(...entries);
};
const kitchen = await openWorkspace('kitchen', change);
const other = await openWorkspace('kitchen', change);

const ask = (query: Record<string, string> | string, key = kitchen.keys.chief, database = 'dishes') =>
  call(`GET /api/public/cms/${database}/list?fields=id&${new URLSearchParams(query)}`, { key });
const idsOf = async (query: Record<string, string>, of = kitchen.keys.chief) => {
  const { status, headers, json } = await ask(query, of);
  expect({ status, json }).toMatchObject({ status: 200 });
  expect(headers['x-cms-total']).toBe(String(json.length));
  return json.map(({ id }: Document) => id).join('');
};

it.each([
  [{ 'filter[rank]': '2' }, 'a'],
  [{ 'filter[rank]': '1e1' }, 'c'],
  [{ 'filter[rank][gt]': '-5' }, 'ca'],
  [{ 'filter[rank][lte]': '2.0' }, 'ba'],
  [{ 'filter[rank][ne]': '2' }, 'dcb'],
  [{ 'filter[rank][exists]': 'false' }, 'd'],
  [{ 'filter[rank][in]': '2, 10,' }, 'ca'],
  [{ 'filter[name]': 'كَبسة' }, 'a'],
  [{ 'filter[name]': 'كَبسة', locale: 'en' }, ''],
  [{ 'filter[name][contains]': 'كبسه' }, 'a'],
  [{ 'filter[name][contains]': '12' }, 'd'],
  [{ 'filter[name][contains]': 'KIZ', locale: 'ar' }, 'd'],
  [{ 'filter[name][contains]': 'kız' }, 'd'],
  [{ 'filter[name][exists]': 'true', locale: 'ar' }, 'da'],
  [{ 'filter[title][contains]': 'APF' }, 'da'],
  [{ 'filter[title]': 'apfel' }, 'd'],
  [{ 'filter[title][exists]': 'false' }, 'b'],
  [{ 'filter[title]': 'x'.repeat(200) }, ''],
  [{ 'filter[title][contains]': 'x'.repeat(200) }, 'c'],
  [{ 'filter[day][gte]': '2026-01-31' }, 'a'],
  [{ 'filter[moment]': '2026-01-31T09:00:00Z' }, 'a'],
  [{ 'filter[moment][gt]': '2026-01-31t09:00:00z' }, 'b'],
  [{ 'filter[moment][gte]': '2026-01-31' }, 'ba'],
  [{ 'filter[createdAt][lt]': '2026-01-02T09:00:00.000000001Z' }, 'ba'],
  [{ 'filter[createdAt]': '2026-01-02T12:00:00+03:00' }, 'b'],
  [{ 'filter[updatedAt][gt]': '2026-02-03' }, 'dc'],
  [{ 'filter[mail][contains]': 'EXAMPLE' }, 'cb'],
  [{ 'filter[mail]': 'nobody@example.com' }, ''],
  [{ 'filter[mail][in]': 'nobody@example.com, lina@example.com' }, 'b'],
  [{ 'filter[mail]': 'chef@bäckerei.example' }, 'c'],
  [{ 'filter[mail]': ' chef@xn--bckerei-5wa.example' }, 'c'],
  [{ 'filter[mail][in]': 'chef@BA\u0308CKEREI.example,lina@EXAMPLE.com' }, 'cb'],
  [{ 'filter[mail][contains]': 'BÄCKEREI' }, 'c'],
  [{ 'filter[mail][contains]': 'f@bäckerei.ex' }, 'c'],
  [{ 'filter[mail]': 'chef@backerei.example' }, ''],
  [{ 'filter[desk]': '\u202a०२ ५५५ ०१०० #७\u202c' }, 'b'],
  [{ 'filter[desk][ne]': '02 555 0100 #7' }, 'dca'],
  [{ 'filter[desk][in]': '02 555 0100, 02 555 ۰۱۰۰ #7' }, 'b'],
  [{ 'filter[desk]': '02-555-0100 #7' }, ''],
  [{ 'filter[desk][contains]': '５５５' }, 'b'],
  [{ 'filter[desk][contains]': '৫৫৫ ০১' }, 'b'],
  [{ sort: '-desk' }, 'bdca'],
  [{ 'filter[size]': 'none' }, ''],
  [{ 'filter[tags]': 'New' }, 'a'],
  [{ 'filter[tags][ne]': 'New' }, 'dcb'],
  [{ 'filter[chef]': 'chef_1' }, 'a'],
  [{ 'filter[chefs]': 'chef_1' }, 'a'],
  [{ 'filter[chefs.eq]': 'chef_2', sort: 'rank' }, 'ac'],
  [{ 'filter[chefs][ne]': 'chef_1' }, 'dcb'],
  [{ 'filter[chefs][in]': 'chef_1,chef_9,chef_2' }, 'ca'],
  [{ 'filter[chefs][exists]': 'true' }, 'dca'],
  [{ 'filter[chefs][exists]': 'false' }, 'b'],
  [{ 'filter[chefs]': 'gone' }, ''],
  [{ 'filter[active]': 'false' }, 'b'],
  [{ 'filter[published]': 'false' }, 'd'],
  [{ 'filter[id][in]': 'a,d,none' }, 'da'],
  [{ 'filter[rank][gt]': '0', 'filter[rank][lt]': '5' }, 'a'],
  [{ 'filter[rank]': '' }, 'dcba'],
  [{ search: 'كبسه äpf' }, 'a'],
  [{ search: 'yyy' }, 'c'],
  [{ search: 'hidden' }, ''],
  [{ search: 'ışıltılı' }, 'b'],
  [{ search: 'IŞILTILI', locale: 'en' }, 'b'],
  [{ search: 'İşiltili' }, 'b'],
  [{ search: '  ' }, 'dcba'],
  [{ sort: 'rank' }, 'bacd'],
  [{ sort: '-rank' }, 'cabd'],
  [{ sort: 'name' }, 'abdc'],
  [{ sort: '-name', locale: 'ar' }, 'adcb'],
  [{ sort: 'active,-createdAt' }, 'badc'],
  [{ sort: 'title' }, 'dacb'],
  [{ sort: 'moment' }, 'abdc'],
  [{ sort: '-published,id' }, 'abcd'],
  [{ sort: '-updatedAt' }, 'dcba'],
  [{ sort: '-rank', 'filter[updatedAt][gt]': '2026-02-02' }, 'cbd'],
  [{ sort: '-updatedAt', 'filter[name][contains]': 'KABSA' }, 'a'],
  [{ sort: 'updatedAt', search: 'ÄPF' }, 'ad'],
])('%j lists %s', async (query, ids) => {
  expect(await idsOf(query)).toBe(ids);
});

describe('without the permission to read drafts', () => {
  it('a filter finds only published entries for a key without the permission to read drafts', async () => {
    expect(await idsOf({ 'filter[published]': 'false' }, kitchen.keys.reader)).toBe('');
    expect(await idsOf({ sort: 'title' }, kitchen.keys.reader)).toBe('acb');
  });
});

const tooMany = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`filter[f${index}]`, '1']));

it.each([
  ['an unknown field', { 'filter[nope]': '1' }, 'unknown_field', [['filter[nope]', 'unknown_field']]],
  [
    'a hidden field',
    { 'filter[secret]': '1', sort: 'secret' },
    'unknown_field',
    [
      ['filter[secret]', 'unknown_field'],
      ['sort', 'unknown_field'],
    ],
  ],
  [
    'a hidden field that the caller may see',
    { 'filter[secret]': '1', includeHidden: 'true' },
    'invalid_query',
    [['filter[secret]', 'not_filterable']],
  ],
  [
    'a field without a column',
    { 'filter[data]': '1', 'filter[left]': '1', 'filter[story]': '1' },
    'invalid_query',
    ['data', 'left', 'story'].map((key) => [`filter[${key}]`, 'not_filterable']),
  ],
  [
    'an operator of another type',
    {
      'filter[title][gt]': '1',
      'filter[tags][contains]': 'h',
      'filter[id][contains]': 'a',
      'filter[chefs][contains]': 'chef_1',
      'filter[chefs.gt]': 'chef_1',
    },
    'invalid_query',
    [
      ['filter[title][gt]', 'not_filterable'],
      ['filter[tags][contains]', 'not_filterable'],
      ['filter[id][contains]', 'not_filterable'],
      ['filter[chefs][contains]', 'not_filterable'],
      ['filter[chefs.gt]', 'not_filterable'],
    ],
  ],
  ['an unknown operator', { 'filter[rank][like]': '1' }, 'invalid_query', [['filter[rank][like]', 'not_allowed']]],
  [
    'a malformed name',
    { filter: '1', 'filter[': '1', 'filter[]': '1', 'filter[rank]x': '1', 'filter[a][b][c]': '1' },
    'invalid_query',
    ['filter', 'filter[', 'filter[]', 'filter[rank]x', 'filter[a][b][c]'].map((path) => [path, 'syntax']),
  ],
  [
    'a name of Object.prototype',
    { 'filter[__proto__]': '1', 'filter[constructor][eq]': '1', sort: 'toString' },
    'unknown_field',
    [
      ['filter[__proto__]', 'unknown_field'],
      ['filter[constructor][eq]', 'unknown_field'],
      ['sort', 'unknown_field'],
    ],
  ],
  [
    'numbers out of range',
    { 'filter[rank]': '1e309', 'filter[rank][gt]': '١٢', 'filter[rank][lt]': '0x10', 'filter[rank][ne]': '1e-999' },
    'invalid_query',
    ['filter[rank]', 'filter[rank][gt]', 'filter[rank][lt]', 'filter[rank][ne]'].map((path) => [path, 'format']),
  ],
  [
    'malformed values',
    {
      'filter[active]': 'yes',
      'filter[day]': '2026-02-30',
      'filter[moment]': 'now',
      'filter[createdAt][gt]': '2026-01-01T00:00:00',
      'filter[chef]': 'a b',
      'filter[chefs]': 'a b',
      'filter[mail]': 'lina.example.com',
      'filter[mail][ne]': ' ',
      'filter[mail][in]': 'lina@example.com,lina',
      'filter[rank][exists]': '1',
    },
    'invalid_query',
    [
      'filter[active]',
      'filter[day]',
      'filter[moment]',
      'filter[createdAt][gt]',
      'filter[chef]',
      'filter[chefs]',
      'filter[mail]',
      'filter[mail][ne]',
      'filter[mail][in]',
      'filter[rank][exists]',
    ].map((path) => [path, 'format']),
  ],
  ['too long a value', { 'filter[title]': 'x'.repeat(201) }, 'invalid_query', [['filter[title]', 'max_length']]],
  [
    'too many values',
    { 'filter[rank][in]': Array.from({ length: 51 }, (_, index) => index).join() },
    'invalid_query',
    [['filter[rank][in]', 'max_items']],
  ],
  ['too many fields to sort by', { sort: 'rank,title,day,active' }, 'invalid_query', [['sort', 'max_items']]],
  ['a field twice', { sort: 'rank,-rank' }, 'invalid_query', [['sort', 'duplicate']]],
  [
    'fields that cannot be sorted by',
    { sort: 'tags,chefs,story' },
    'invalid_query',
    [
      ['sort', 'not_filterable'],
      ['sort', 'not_filterable'],
      ['sort', 'not_filterable'],
    ],
  ],
  ['a malformed cursor', { cursor: '\ud800x' }, 'invalid_query', [['cursor', 'format']]],
  [
    'errors of every parameter',
    { limit: '0', 'filter[nope]': '1', sort: '-', cursor: 'x', offset: '0', fields: 'no' },
    'invalid_query',
    [
      ['limit', 'min'],
      ['fields.no', 'unknown_field'],
      ['filter[nope]', 'unknown_field'],
      ['sort', 'syntax'],
      ['cursor', 'not_allowed'],
      ['cursor', 'format'],
    ],
  ],
])('%s is refused', async (_, query, code, issues) => {
  const { fields: named, ...rest } = query as Record<string, string>;
  const address = `GET /api/public/cms/dishes/list?${new URLSearchParams({ fields: named ?? 'id', ...rest })}`;
  const { status, json } = await call(address, { key: kitchen.keys.chief });
  expect({ status, code: json.code }).toEqual({ status: 400, code });
  expect(json.errors.map(({ path, code: its }: Document) => [path, its])).toEqual(issues);
  for (const { path, message } of json.errors) expect(message.startsWith(path)).toBe(true);
});

it('a filter by time says how to send an offset whose plus sign has become a blank', async () => {
  const query = 'filter[moment]=2026-01-31T09:00:00+03:00';
  const { status, json } = await call(`GET /api/public/cms/dishes/list?${query}`, { key: kitchen.keys.chief });
  expect([status, json.message]).toEqual([400, expect.stringContaining('2026-01-31T12:00:00%2B03:00')]);
});

it('a list refuses ten thousand conditions at the eleventh', async () => {
  const { status, json } = await ask(tooMany);
  expect(status).toBe(400);
  expect(json.errors.at(-1)).toMatchObject({ path: 'filter[f10]', code: 'max_items' });
});

const sortable = 'id, published, createdAt, updatedAt, name, title, rank, active, day, moment, mail, desk, size';

it('a message about an unknown field names those that can be used, the first twenty of many', async () => {
  const many = Array.from({ length: 22 }, (_, index) => field(`f${index}`, 'number'));
  const { keys } = await openWorkspace('kitchen', ({ cms }) => {
    cms.models.push({ id: 'wide', name: { en: 'Wide' }, fields: [field('secret', 'text', { hidden: true }), ...many] });
  });
  const messageOf = async (query: string, key: string) =>
    (await call(`GET /api/public/cms/wide/list?${query}`, { key })).json.message;
  const names = ['id', 'published', 'createdAt', 'updatedAt', ...many.slice(0, 16).map(({ key }) => key)].join(', ');
  expect(await messageOf('filter[secret]=1', keys.reader)).toBe(
    `filter[secret]: Must name one of the fields ${names} and 6 more.`,
  );
  expect(await messageOf('sort=secret', keys.reader)).toBe(
    `sort: Must be fields of the database: ${names} and 6 more; there is no secret.`,
  );
  expect((await ask('filter[nope]=1')).json.message).toBe(
    `filter[nope]: Must name one of the fields ${sortable.replace('size', 'size, tags, chef, chefs')}.`,
  );
});

it('a message names each field that a list cannot be sorted by', async () => {
  const { json } = await ask(`sort=tags,-rnak,${'x'.repeat(70)}`);
  expect(json.errors.map(({ message }: Document) => message)).toEqual([
    'sort: Must be fields that a list can be sorted by; tags is none.',
    `sort: Must be fields of the database: ${sortable}; there is no rnak.`,
    `sort: Must be fields of the database: ${sortable}; there is no ${'x'.repeat(64)}.`,
  ]);
  const twice = await ask('sort=rank,-rank');
  expect(twice.json.errors).toEqual([{ path: 'sort', code: 'duplicate', message: 'sort: Must not have rank twice.' }]);
});

describe('a condition in the flat spelling', () => {
  it.each([
    ['filter[rank.gt]=-5', 'ca'],
    ['filter[rank.eq]=2', 'a'],
    ['filter[name.contains]=كبسه', 'a'],
    ['filter[createdAt.gte]=2026-01-03&filter[rank][exists]=true', 'c'],
    ['filter[rank.in]=2, 10,', 'ca'],
    ['filter[rank.in]=2&filter[rank.in]=10', 'ca'],
    ['filter[rank][in][]=2&filter[rank][in][]=10', 'ca'],
    ['filter[rank.in][]=2,10', 'ca'],
    ['filter[rank.exists]=false', 'd'],
    ['filter[rank.gt]=', 'dcba'],
  ])('%s is the same as with two brackets', async (query, ids) => {
    expect((await ask(query)).json.map(({ id }: Document) => id).join('')).toBe(ids);
    const bracketed = query.replaceAll(/filter\[(\w+)\.(\w+)\]/g, 'filter[$1][$2]');
    expect((await ask(bracketed)).json.map(({ id }: Document) => id).join('')).toBe(ids);
  });

  it('has a cursor that the other spelling continues', async () => {
    const { headers } = await ask('filter[rank.in]=2,10&sort=rank&limit=1');
    const cursor = headers['x-cms-next-cursor'] ?? '';
    const { status, json } = await ask(
      `filter[rank][in]=10&filter[rank][in]=2&filter[rank][in]=2&sort=rank&cursor=${cursor}`,
    );
    expect([status, json.map(({ id }: Document) => id)]).toEqual([200, ['c']]);
  });

  it.each([
    ['filter[rank.like]=1', [['filter[rank.like]', 'not_allowed']]],
    ['filter[nope.gt]=1', [['filter[nope.gt]', 'unknown_field']]],
    ['filter[secret.eq]=1', [['filter[secret.eq]', 'unknown_field']]],
    ['filter[rank.gt][lt]=1', [['filter[rank.gt][lt]', 'unknown_field']]],
    ['filter[title.gt]=1', [['filter[title.gt]', 'not_filterable']]],
    [
      'filter[rank.]=1&filter[.gt]=1&filter[.]=1',
      ['filter[rank.]', 'filter[.gt]', 'filter[.]'].map((path) => [path, 'syntax']),
    ],
    ['filter[rank.a.gt]=1', [['filter[rank.a.gt]', 'unknown_field']]],
  ])('%s is refused', async (query, issues) => {
    const { status, json } = await ask(query);
    expect([status, json.errors?.map(({ path, code }: Document) => [path, code])]).toEqual([400, issues]);
  });
});

describe('the values of in', () => {
  const sized = ['hot', 'S, M', 'a\\', 'a\\,b', 'b'].map((size, index) => entry(`s${index}`, 1, { size }));
  const own = openWorkspace('kitchen', ({ cms }) => {
    cms.models.push({ id: 'dishes', name: { en: 'Dishes' }, fields });
    cms.entries.push(...sized);
  });
  it.each([
    [['S, M'], []],
    [['S\\, M'], ['S, M']],
    [[' S\\, M ,hot'], ['S, M', 'hot']],
    [
      ['S, M', 'hot'],
      ['S, M', 'hot'],
    ],
    [['S, M', 'S, M'], ['S, M']],
    [['hot,b', 'b'], ['b']],
    [['a\\'], ['a\\']],
    [
      ['a\\', 'b'],
      ['a\\', 'b'],
    ],
    [['a\\,b', 'x'], ['a\\,b']],
    [['hot,b'], ['hot', 'b']],
    [['', 'b', ''], ['b']],
  ])('sent as %j are %j', async (sent, sizes) => {
    const query = new URLSearchParams(sent.map((value): [string, string] => ['filter[size][in]', value]));
    const { status, json } = await ask(String(query), (await own).keys.reader);
    expect(status).toBe(200);
    const expected = sized.filter(({ values }) => sizes.includes((values as { size: string }).size));
    expect(json.map(({ id }: Document) => id).sort()).toEqual(expected.map(({ id }) => id));
  });

  it('are at most fifty, in one parameter or several', async () => {
    const several = (count: number) =>
      Array.from({ length: count }, (_, index) => `filter[rank][in]=${index}`).join('&');
    expect((await ask(several(50))).status).toBe(200);
    expect((await ask(several(51))).json.errors).toMatchObject([{ path: 'filter[rank][in]', code: 'max_items' }]);
  });
});

it.each([
  ['filter[rank]=1&filter[rank]=2', 'filter[rank]'],
  ['filter[rank]=1&filter[rank]=1', 'filter[rank]'],
  ['filter[rank]=1&filter[rank][eq]=1', 'filter[rank][eq]'],
  ['filter[rank.gt]=1&filter[rank][gt]=1', 'filter[rank][gt]'],
  ['filter[rank][in]=1&filter[rank.in]=1', 'filter[rank.in]'],
  ['filter[nope]=1&filter[nope]=', 'filter[nope]'],
])('a list refuses the same field and operator twice: %s', async (query, path) => {
  const { status, json } = await ask(query);
  expect([status, json.errors]).toMatchObject([
    400,
    expect.arrayContaining([{ path, code: 'repeated', message: `${path}: Must be given once.` }]),
  ]);
});

it('a list takes its sort and its fields in one parameter or in several', async () => {
  const query = 'sort=active&sort=-createdAt, id&fields=title&fields=chef(id),rank';
  const { status, json } = await call(`GET /api/public/cms/dishes/list?${query}`, { key: kitchen.keys.chief });
  const once = await call('GET /api/public/cms/dishes/list?sort=active,-createdAt,id&fields=title,chef(id),rank', {
    key: kitchen.keys.chief,
  });
  expect([status, json.map(({ id }: Document) => id).join('')]).toEqual([200, 'badc']);
  expect(json).toEqual(once.json);
  const three = await ask('sort=rank&sort=title,day&sort=active');
  expect(three.json.errors).toMatchObject([{ path: 'sort', code: 'max_items' }]);
});

describe('a cursor', () => {
  const walk = async (query: Record<string, string>, limit = '1') => {
    const found: string[] = [];
    let next: string | undefined;
    do {
      const { status, headers, json } = await ask({ ...query, limit, ...(next === undefined ? {} : { cursor: next }) });
      expect(status).toBe(200);
      expect(headers['x-cms-offset']).toBe(next === undefined ? '0' : undefined);
      found.push(...json.map(({ id }: Document) => id));
      next = headers['x-cms-next-cursor'];
      expect(headers['x-cms-has-more']).toBe(next === undefined ? '0' : '1');
    } while (next !== undefined);
    return found.join('');
  };

  it.each([
    [{}, 'dcba'],
    [{ published: 'true' }, 'cba'],
    [{ sort: 'rank' }, 'bacd'],
    [{ sort: '-title,rank' }, 'cadb'],
    [{ 'filter[rank][exists]': 'true', sort: 'moment' }, 'abc'],
    [{ sort: '-updatedAt' }, 'dcba'],
    [{ search: 'x' }, 'c'],
  ])('walks %j in order', async (query, ids) => {
    expect(await walk(query)).toBe(ids);
    expect(await walk(query, '3')).toBe(ids);
  });

  it('belongs to one list', async () => {
    const query = { sort: 'rank', limit: '1' };
    const next = (await ask(query)).headers['x-cms-next-cursor'] ?? '';
    const statusOf = async (more: Record<string, string>, key?: string, database?: string) =>
      (await ask({ ...query, cursor: next, ...more }, key, database)).status;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ limit: '3', maxDepth: '1', includeHidden: 'true', fallback: 'en' })).toBe(200);
    expect(await statusOf({ sort: '-rank' })).toBe(400);
    expect(await statusOf({ search: 'x' })).toBe(400);
    expect(await statusOf({ published: 'true' })).toBe(400);
    expect(await statusOf({ locale: 'en' })).toBe(400);
    expect(await statusOf({ 'filter[rank]': '2' })).toBe(400);
    expect(await statusOf({ offset: '0' })).toBe(400);
    expect(await statusOf({ cursor: next.slice(0, -2) })).toBe(400);
    expect(await statusOf({ cursor: `${next}A` })).toBe(400);
    expect(await statusOf({}, other.keys.chief)).toBe(400);
    expect(await statusOf({}, undefined, 'chefs')).toBe(400);
  });
});

it('a cursor is accepted for sort values of any length', async () => {
  const keysOf = ['one', 'two', 'three'];
  const own = await openWorkspace('kitchen', ({ cms }) => {
    cms.models.push({ id: 'longest', name: { en: 'Longest' }, fields: keysOf.map((key) => field(key, 'text')) });
    const values = Object.fromEntries(keysOf.map((key) => [key, `a${'\u0001'.repeat(249)}`]));
    const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(100));
    cms.entries.push(...ids.map((id) => ({ id, modelId: 'longest', values })));
  });
  const page = async (more: Record<string, string>) => {
    const { status, headers, json } = await ask(
      { sort: keysOf.join(), limit: '1', ...more },
      own.keys.reader,
      'longest',
    );
    expect(status).toBe(200);
    return { id: json[0].id[0], cursor: headers['x-cms-next-cursor'] ?? '' };
  };
  const first = await page({});
  expect(first.cursor.length).toBeGreaterThan(4_096);
  const second = await page({ cursor: first.cursor });
  expect([first.id, second.id, (await page({ cursor: second.cursor })).id].sort()).toEqual(['a', 'b', 'c']);
  expect((await ask({ cursor: 'x'.repeat(6_145) }, own.keys.reader, 'longest')).status).toBe(400);
});

it('a hidden field gets the same answer as an unknown field', async () => {
  const answers = await Promise.all(
    ['secret', 'absent'].map(async (name) => {
      const { status, text } = await ask({ [`filter[${name}][gt]`]: '1', [`filter[${name}]`]: '1', sort: `-${name}` });
      return { status, text: text.replaceAll(name, 'NAME') };
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.status).toBe(400);
});

it.each(['filter[title]=%ED%A0%80', 'filter[%ED%A0%80]=1', 'search=%ED%A0%80', 'sort=%ED%A0%80', 'cursor=%ED%A0%80'])(
  'a lone surrogate is searched as text, or refused: %s',
  async (query) => {
    const { status } = await call(`GET /api/public/cms/dishes/list?fields=id&${query}`, { key: kitchen.keys.chief });
    expect(status).toBe(/^(filter\[title|search)/.test(query) ? 200 : 400);
  },
);

it('fields with many relations take the columns that all other fields leave', async () => {
  const many = (key: string) => field(key, 'relation', { relation: { to: 'cms:dishes', many: true } });
  const plain = Array.from({ length: 22 }, (_, index) => field(`f${index}`, 'number'));
  const own = await openWorkspace('kitchen', ({ cms }) => {
    cms.models.push({
      id: 'dishes',
      name: { en: 'Dishes' },
      fields: [many('one'), many('two'), ...plain, many('three')],
    });
    cms.models.push({
      id: 'full',
      name: { en: 'Full' },
      fields: [many('one'), ...plain, field('x', 'longText'), field('y', 'url')],
    });
    cms.entries.push({ id: 'a', modelId: 'dishes', values: { one: ['a'], two: ['b'], f21: 1 } });
  });
  const statusOf = async (name: string, database?: string) =>
    (await ask({ [`filter[${name}]`]: name.startsWith('f') ? '1' : 'a' }, own.keys.reader, database)).status;
  const names = ['one', 'two', 'f21', 'three'];
  expect(await Promise.all(names.map((name) => statusOf(name)))).toEqual([200, 200, 200, 400]);
  expect(await Promise.all([statusOf('one', 'full'), statusOf('f21', 'full')])).toEqual([400, 200]);
  expect(await idsOf({ 'filter[one]': 'a', 'filter[f21]': '1' }, own.keys.reader)).toBe('a');
});

it('a list of relations is found by its new ids after an update, in a new column, and after an import', async () => {
  const own = await openWorkspace('kitchen', change);
  const found = (id: string) => idsOf({ 'filter[chefs]': id }, own.keys.chief);
  expect(await found('chef_2')).toBe('ca');
  const patch = { key: own.keys.chief, body: { values: { chefs: ['chef_3', 'chef_1'] } } };
  expect((await call('PATCH /api/public/cms/dishes/c', patch)).status).toBe(200);
  expect([await found('chef_2'), await found('chef_3'), await found('chef_1')]).toEqual(['a', 'c', 'ca']);
  const single = fields.map((one) => (one.key === 'chefs' ? { ...one, indexed: false } : one));
  const reload = (of: object[]) =>
    load({ ...own.document, cms: { models: [{ id: 'dishes', name: { en: 'Dishes' }, fields: of }], entries } });
  await reload(single);
  expect((await ask({ 'filter[chefs]': 'chef_2' }, own.keys.chief)).status).toBe(400);
  await reload(fields);
  expect([await found('chef_2'), await found('chef_3')]).toEqual(['ca', '']);
});

it('an update of a field with a column shows in the next list', async () => {
  const own = await openWorkspace('kitchen', change);
  const patch = async (values: object) => {
    const { status } = await call('PATCH /api/public/cms/dishes/a', { key: own.keys.chief, body: { values } });
    expect(status).toBe(200);
  };
  expect(await idsOf({ 'filter[rank][gt]': '5' }, own.keys.chief)).toBe('c');
  await patch({ rank: 7 });
  expect(await idsOf({ 'filter[rank][gt]': '5', sort: 'rank' }, own.keys.chief)).toBe('ac');
  await patch({ published: false });
  expect(await idsOf({ 'filter[published]': 'false' }, own.keys.chief)).toBe('da');
  await patch({ data: { n: 1 } });
  expect((await idsOf({ sort: '-updatedAt' }, own.keys.chief))[0]).toBe('a');
});

it('a walk by cursor shows each remaining entry one time while others are added and removed', async () => {
  const own = await openWorkspace('kitchen', change);
  const many = Array.from({ length: 9 }, (_, index) => entry(`m${index + 10}`, 1 + (index % 5), { rank: index % 7 }));
  const document = { ...own.document, cms: { models: [], entries: many } };
  await load(document);
  const found: string[] = [];
  let next: string | undefined;
  for (let page = 0; page === 0 || next !== undefined; page++) {
    const { headers, json } = await ask(
      { sort: 'rank', limit: '6', ...(next ? { cursor: next } : {}) },
      own.keys.chief,
    );
    found.push(...json.map(({ id }: Document) => id));
    next = headers['x-cms-next-cursor'];
    const comes = [entry(`new${page}a`, 3, { rank: 0 }), entry(`new${page}b`, 3, { rank: 6 })];
    const without = many.filter(({ id }) => id !== `m${10 + page}`);
    await load({ ...document, cms: { models: [], entries: [...comes, ...without] } });
  }
  const staying = many.map(({ id }) => id);
  expect(found.filter((id) => staying.includes(id)).sort()).toEqual(staying.sort());
  expect(new Set(found).size).toBe(found.length);
});

it('an import that unpublishes an updated entry takes effect', async () => {
  const own = await openWorkspace('kitchen', change);
  const body = { values: { title: 'updated' } };
  expect((await call('PATCH /api/public/cms/dishes/a', { key: own.keys.chief, body })).status).toBe(200);
  await load({ ...own.document, cms: { models: [], entries: [{ ...entries[0], published: false }] } });
  expect(await idsOf({ 'filter[published]': 'false' }, own.keys.chief)).toBe('da');
  expect(await idsOf({ sort: 'title' }, own.keys.reader)).toBe('cb');
});

it('a list reads columns from the entries if none are stored', async () => {
  const own = await openWorkspace('kitchen', change);
  expect(await idsOf({ 'filter[left]': 'x' }, own.keys.chief).catch(() => 'refused')).toBe('refused');
  const indexed = fields.map((field) => (field.key === 'left' ? { ...field, indexed: true } : field));
  const left = { ...entries[0], values: { ...entries[0]?.values, left: 'there' } };
  await load({
    ...own.document,
    cms: { models: [{ id: 'dishes', name: { en: 'Dishes' }, fields: indexed }], entries: [left] },
  });
  expect(await idsOf({ 'filter[left]': 'there' }, own.keys.chief)).toBe('a');
});

describe('costs', () => {
  const meterOf = async (work: () => Promise<unknown>) => {
    const [line = '{}'] = (await capturedLines(work)).filter((text) => text.includes('"route"'));
    return JSON.parse(line);
  };

  it('an update of a field with a column costs at most 8 write units; of another field, no further call', async () => {
    const body = (values: object) => ({ key: other.keys.chief, body: { values } });
    const patch = (values: object) => meterOf(() => call('PATCH /api/public/cms/dishes/b?fields=id', body(values)));
    expect((await patch({ rank: 3 })).WriteUnits).toBeLessThanOrEqual(8);
    const { WriteUnits, dynamodb } = await patch({ data: [1] });
    // By chance, one of many such updates marks its log for compaction.
    const marks = dynamodb.calls.UpdateItem ?? 0;
    expect(marks).toBeLessThanOrEqual(1);
    expect(WriteUnits - marks).toBeLessThanOrEqual(2);
  });

  it.each(['filter[rank][gt]=0', 'sort=rank', 'search=x'])(
    'a warm page of %s reads the end of the log and its entries only',
    async (query) => {
      await ageState(kitchen.workspaceId);
      await ask(query);
      const { ReadUnits } = await meterOf(() => ask(query));
      expect(ReadUnits).toBeLessThanOrEqual(4 + entries.length);
    },
  );
});
