import { describe, expect, it } from '@jest/globals';
import { bulkChanges } from '#lib/console/app/areas/content/bulk.ts';
import {
  blankValues,
  missingTranslations,
  titleOf,
  unusedFieldKey,
  withType,
} from '#lib/console/app/areas/content/database-model.ts';
import { cellText, nextSort, shownColumns, sortableKeys } from '#lib/console/app/areas/content/entry-columns.ts';
import {
  conditionsOf,
  type EntryFilter,
  filterFields,
  filterQuery,
  readFilters,
  withFilter,
  withoutFilters,
} from '#lib/console/app/areas/content/entry-filters.ts';
import { jsonOf, textOfJson, unparsedFields } from '#lib/console/app/areas/content/json-text.ts';
import { withMissingTexts } from '#lib/console/app/areas/content/missing-texts.ts';
import { pathOfReferrer } from '#lib/console/app/areas/content/paths.ts';
import { sendChanges } from '#lib/console/app/data/many-changes.ts';
import { localTime, storedTime } from '#lib/console/app/editing/moments.ts';
import { Model } from '#lib/domain/cms/cms-model.ts';

const model = Model.parse({
  id: 'chefs',
  name: { en: 'Chefs' },
  fields: [
    { key: 'name', name: { en: 'Name' }, type: 'text', localized: true },
    { key: 'bio', name: { en: 'Bio' }, type: 'longText', localized: true },
    {
      key: 'level',
      name: { en: 'Level' },
      type: 'select',
      options: [{ value: 'head', label: { en: 'Head', ar: 'رئيس' } }],
    },
    { key: 'joined', name: { en: 'Joined' }, type: 'date' },
    { key: 'tags', name: { en: 'Tags' }, type: 'multiSelect', options: [] },
    { key: 'mentor', name: { en: 'Mentor' }, type: 'relation', relation: { to: 'cms:chefs' } },
    { key: 'notes', name: { en: 'Notes' }, type: 'text', hidden: true },
  ],
});
const [name, , level, joined, , mentor] = model.fields;

describe('a field of a database', () => {
  it('gets a key from its name that no field and no system field has', () => {
    expect(unusedFieldKey('Opening hours!', [])).toBe('openingHours');
    expect(unusedFieldKey('Opening hours', ['openingHours', 'openingHours2'])).toBe('openingHours3');
    expect(unusedFieldKey('الاسم', [])).toBe('field');
    expect([unusedFieldKey('ID', []), unusedFieldKey('constructor', []), unusedFieldKey('2 days', [])]).toEqual([
      'id2',
      'field',
      'Days',
    ]);
  });

  it('keeps the members that the new type also has, and gets the required ones', () => {
    const field = { key: 'a', name: { en: 'A' }, type: 'text', localized: true, required: true } as const;
    expect(withType(field, 'longText')).toMatchObject({ type: 'longText', localized: true, required: true });
    const relation = withType(field, 'relation');
    expect(relation).toMatchObject({ localized: false, relation: { to: 'menu:product', many: false } });
    const select = withType(relation, 'select');
    expect(select).toMatchObject({ options: [] });
    expect(select).not.toHaveProperty('relation');
    expect(withType(select, 'number')).not.toHaveProperty('options');
    for (const type of ['relation', 'select', 'number', 'media'] as const) {
      // A required choice needs options, which the member adds.
      const changed = { ...withType(field, type), required: type !== 'select' };
      expect(Model.safeParse({ ...model, fields: [changed] }).success).toBe(true);
    }
  });
});

describe('an entry', () => {
  it('is called by its first text that is not hidden, else by its id', () => {
    const values = { name: { ar: 'نورة', en: ' ' }, notes: 'secret' };
    expect(titleOf(model.fields, { id: 'a', values }, ['en', 'ar'])).toBe('نورة');
    expect(titleOf(model.fields, { id: 'a', values: { name: null } }, ['en'])).toBe('a');
    expect(titleOf([], { id: 'a', values }, ['en'])).toBe('a');
  });

  it('misses a translation where another language has the text', () => {
    const missing = missingTranslations(model.fields, { name: { en: 'Noura', ar: ' ' }, bio: {} }, ['en', 'ar']);
    expect(missing.map(({ language, fields }) => [language, fields.map(({ key }) => key)])).toEqual([['ar', ['name']]]);
  });

  it('starts with no in a required yes/no field', () => {
    const fields = [
      { key: 'a', name: { en: 'A' }, type: 'boolean', required: true },
      { key: 'b', name: { en: 'B' }, type: 'boolean' },
    ] as const;
    expect(blankValues(fields)).toEqual({ a: false, b: null });
  });
});

describe('the columns of a list', () => {
  it('are the first short fields until others are chosen', () => {
    expect(shownColumns(model, null).map(({ key }) => key)).toEqual(['level', 'joined', 'tags']);
    expect(shownColumns(model, 'mentor,bio').map(({ key }) => key)).toEqual(['bio', 'mentor']);
    expect(shownColumns(model, '-')).toEqual([]);
  });

  it('are sorted up, down and not at all, where the service can', () => {
    expect([...sortableKeys(model)]).toEqual(['name', 'level', 'joined']);
    expect([nextSort(null, 'a'), nextSort('a', 'a'), nextSort('-a', 'a'), nextSort('b', 'a')]).toEqual([
      'a',
      '-a',
      null,
      'a',
    ]);
  });

  it('show values in words', () => {
    const words = {
      languages: ['ar', 'en'],
      locale: 'en-US',
      yes: 'Yes',
      no: 'No',
      images: (count: number) => `${count} images`,
      nameOf: (_: unknown, id: string) => `<${id}>`,
    };
    const shown = (field: (typeof model.fields)[number] | undefined, value: unknown) =>
      field && cellText(field, value, words);
    expect(shown(name, { en: 'Noura' })).toBe('Noura');
    expect([shown(level, 'head'), shown(level, 'gone')]).toEqual(['رئيس', 'gone']);
    expect(shown(joined, '2014-03-01')).toBe('Mar 1, 2014');
    expect(shown(mentor, 'chef_1')).toBe('<chef_1>');
    expect([shown(mentor, null), shown(level, [])]).toEqual(['', '']);
    const mail = { ...name, localized: false, type: 'email' } as typeof name;
    expect(shown(mail, 'a@xn--crme-6oa.example')).toBe('a@crème.example');
    expect(shown(name, { en: 'x'.repeat(200) })).toBe(`${'x'.repeat(120)}…`);
  });
});

describe('JSON under edit', () => {
  it('keeps text that is not JSON, and reports it', () => {
    const broken = jsonOf('{"a": ');
    expect(textOfJson(broken)).toBe('{"a": ');
    expect(unparsedFields({ hours: broken, other: { a: 1 } })).toEqual(['hours']);
    expect([jsonOf(' '), jsonOf('[1]'), textOfJson(null), textOfJson({ a: 1 })]).toEqual([
      null,
      [1],
      '',
      '{\n  "a": 1\n}',
    ]);
  });
});

describe('a day and time', () => {
  it('is the same moment after the way through an input', () => {
    const stored = storedTime(localTime('2026-01-31T09:30:00+03:00')) ?? '';
    expect(new Date(stored).toISOString()).toBe('2026-01-31T06:30:00.000Z');
    expect(stored).toMatch(/^2026-01-31T\d\d:30:00[+-]\d\d:\d\d$/);
    expect([localTime(null), localTime('soon'), storedTime('')]).toEqual(['', '', null]);
  });
});

describe('many changes', () => {
  it('go out a hundred at a time, and what failed is counted', async () => {
    const ids = Array.from({ length: 150 }, (_, index) => `e${index}`);
    const sent: number[] = [];
    const result = await sendChanges(bulkChanges('chefs', ids, 'publish'), async (some) => {
      sent.push(some.length);
      return some.map(({ id }) =>
        id === 'chefs/e120'
          ? { status: 404, error: { code: 'not_found', message: 'Gone.' } }
          : { status: 200, etag: `of ${id}` },
      );
    });
    expect(sent).toEqual([100, 50]);
    const [first, ...others] = result.done;
    expect([first, others.length, result.failed]).toEqual([
      { id: 'chefs/e0', etag: 'of chefs/e0' },
      148,
      [{ id: 'chefs/e120', message: 'Gone.' }],
    ]);
  });

  it('name each entry with its database', () => {
    expect(bulkChanges('chefs', ['a'], 'delete')).toEqual([{ kind: 'cms-entries', id: 'chefs/a', method: 'DELETE' }]);
    expect(bulkChanges('chefs', ['a'], 'unpublish')).toMatchObject([{ method: 'PATCH', record: { published: false } }]);
  });
});

it('a referrer leads to its screen', () => {
  expect(pathOfReferrer('cms-entries/chefs/chef_1')).toBe('/content/entries/chefs/edit/chef_1');
  expect(pathOfReferrer('form-responses/res_1')).toBeUndefined();
});

describe('filters of entries', () => {
  const field = (key: string, type: string, more: object = {}) => ({
    key,
    type,
    name: { en: 'Name' },
    localized: false,
    required: false,
    hidden: false,
    many: false,
    ...more,
  });
  const fields = [
    field('name', 'text', { localized: true }),
    field('rank', 'number'),
    field('body', 'richText'),
    field('phone', 'phone', { hidden: true }),
    field('code', 'text', { indexed: false }),
    field('chef', 'relation', { relation: { to: 'cms:chefs', many: false } }),
    field('dishes', 'relation', { relation: { to: 'menu:product', many: true } }),
  ] as unknown as Model['fields'];

  it('are offered for the fields that the service filters by', () => {
    expect(filterFields({ fields }).map(({ key }) => key)).toEqual(['name', 'rank', 'chef', 'dishes']);
    for (const { type } of filterFields({ fields })) expect(conditionsOf(type)).not.toEqual([]);
  });

  it('are in the address, and become the parameter of the service', () => {
    const search = new URLSearchParams('q=a&sort=name');
    const filters: EntryFilter[] = [
      { key: 'name', condition: 'contains', value: 'a&b=[c]' },
      { key: 'rank', condition: 'gte', value: '-1' },
      { key: 'rank', condition: 'lte', value: '5' },
      { key: 'chef', condition: 'empty', value: '' },
    ];
    for (const filter of filters)
      for (const [name, value] of Object.entries(withFilter(filter))) search.set(name, value);
    const read = readFilters(new URLSearchParams(search.toString()), { fields });
    expect(read.map(({ key, condition }) => [key, condition])).toEqual(
      filters.map(({ key, condition }) => [key, condition]),
    );
    expect(filterQuery(read)).toEqual({
      name: { contains: 'a&b=[c]' },
      rank: { gte: '-1', lte: '5' },
      chef: { exists: 'false' },
    });
    expect(filterQuery([])).toBeUndefined();
    for (const name of Object.keys(withoutFilters(read))) search.delete(name);
    expect(search.toString()).toBe('q=a&sort=name');
  });

  it.each(['filter[gone][eq]=1', 'filter[phone][eq]=1', 'filter[rank][contains]=1', 'filter[name]=1', 'filter[[x]=1'])(
    'leave out %s of an address',
    (text) => expect(readFilters(new URLSearchParams(text), { fields })).toEqual([]),
  );

  it('a filter for texts missing in a language searches pages until there are enough, and returns the next position', async () => {
    const asked: unknown[] = [];
    const rows = (from: number, isMissing: (index: number) => boolean) =>
      Array.from({ length: 100 }, (_, index) => ({
        id: `e${from + index}`,
        values: { name: isMissing(index) ? { en: 'A' } : { en: 'A', ar: 'أ' } },
      }));
    const list = async (query: Readonly<Record<string, unknown>> = {}) => {
      asked.push(query);
      const from = Number(query['cursor'] ?? 0);
      return { data: rows(from, (index) => index % 10 === 0), next: from < 2_400 ? String(from + 100) : null };
    };
    const noted: number[] = [];
    let wanted = Number.POSITIVE_INFINITY;
    const watch = { note: (looked: number) => void noted.push(looked), isWanted: () => noted.length < wanted };
    const missing = withMissingTexts({ fields }, { list }, watch);
    const page = await missing.list({ missing: 'ar', sort: 'name' });
    expect(page.data.map(({ id }) => id).slice(0, 11)).toEqual([...Array(10).keys(), 10].map((ten) => `e${ten * 10}`));
    expect([page.data.length, page.next]).toEqual([20, '200']);
    expect(asked).toEqual([
      { sort: 'name', limit: 100, cursor: undefined },
      { sort: 'name', limit: 100, cursor: '100' },
    ]);
    const none = await missing.list({ missing: 'en', cursor: '100' });
    expect([none.data, none.next]).toEqual([[], null]);
    expect(noted).toEqual([0, 100, ...Array.from({ length: 24 }, (_, page) => page * 100)]);
    // After it stops at the third page, it returns the position of the next one.
    wanted = noted.length + 3;
    expect(await missing.list({ missing: 'en' })).toEqual({ data: [], next: '300' });
    wanted = Number.POSITIVE_INFINITY;
    expect((await missing.list({ missing: 'en', cursor: '300' })).next).toBeNull();
  });
});
