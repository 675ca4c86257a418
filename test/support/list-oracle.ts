import { foldText } from '#lib/domain/text/folded-text.ts';
import type { Random } from './history/random.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test generates the entries.
type Any = any;

export const languages = ['en', 'ar'];
const options = ['hot', 'New', 'قديم'].map((value) => ({ value, label: {} }));

/** Fields of every kind; a database of a run has a random subset. */
const pool: Any[] = [
  { key: 'plain', type: 'text' },
  { key: 'name', type: 'text', localized: true },
  { key: 'story', type: 'longText', localized: true },
  { key: 'note', type: 'longText' },
  { key: 'rank', type: 'number' },
  { key: 'active', type: 'boolean' },
  { key: 'day', type: 'date' },
  { key: 'moment', type: 'datetime' },
  { key: 'mail', type: 'email' },
  { key: 'site', type: 'url' },
  { key: 'phone', type: 'phone' },
  { key: 'size', type: 'select', options },
  { key: 'tags', type: 'multiSelect', options },
  { key: 'friend', type: 'relation', relation: { to: 'cms:other', many: false } },
  { key: 'friends', type: 'relation', relation: { to: 'cms:other', many: true } },
  { key: 'data', type: 'json' },
  { key: 'rich', type: 'richText', localized: true },
  { key: 'left', type: 'text', indexed: false },
  { key: 'secret', type: 'text', hidden: true },
].map((field) => ({ name: { en: field.key }, ...field }));

export const randomFields = (random: Random): Any[] => pool.filter(() => random.isLikely(0.7));

const words = [
  'Kabsa',
  'kabsa',
  'KÁBSA',
  'كَبْسة',
  'كبسه',
  'Zaatar 12',
  'زعتر ١٢',
  ' ',
  'b,c',
  '🍋 lime',
  'e\u0301clair',
  'ß',
];
const long = ['x'.repeat(200), 'x'.repeat(201), `${'x'.repeat(200)}kabsa`, `kabsa ${'🍋'.repeat(210)}`];
const texts = [...words, ...long];
const moments = [
  '2026-01-31T09:00:00Z',
  '2026-01-31T12:00:00+03:00',
  '2026-01-31T09:00:00.500Z',
  '2025-12-31T23:59:59-05:00',
];
const more = Array.from({ length: 49 }, (_, index) => `x${index}`);
export const relatedIds = ['o1', 'o2', ...more];
/** A list of more than fifty equals no id, but is a value. */
const relatedLists = [[], ['o1'], ['o2', 'o1'], [...more, 'o2'], [...more, 'o2', 'o1']];
const pick = <One>(random: Random, list: readonly One[]): One => list[random.below(list.length)] as One;

/** A value in the form of an update or a document. */
export function randomValue(random: Random, { type, localized, relation }: Any): unknown {
  if (random.isLikely(0.2)) return null;
  if (localized)
    return Object.fromEntries(
      languages.flatMap((language) => (random.isLikely(0.6) ? [[language, pick(random, texts)]] : [])),
    );
  switch (type) {
    case 'number':
      return pick(random, [0, -5, 2.5, 10, 1e6, 9]);
    case 'boolean':
      return random.isLikely(0.5);
    case 'date':
      return pick(random, ['2026-01-31', '2026-02-01', '1999-12-31']);
    case 'datetime':
      return pick(random, moments);
    case 'email':
      return pick(random, ['lina@example.com', 'Lina@example.com', 'omar@example.org']);
    case 'url':
      return pick(random, ['https://example.com/a', 'https://example.com/B']);
    case 'phone':
      return pick(random, ['+966 50 000', '00966 50 000']);
    case 'select':
      return pick(random, options).value;
    case 'multiSelect':
      return options.map(({ value }) => value).filter(() => random.isLikely(0.5));
    case 'relation':
      return relation.many ? pick(random, relatedLists) : pick(random, ['o1', 'o2']);
    case 'json':
      return { a: random.below(5) };
    default:
      return pick(random, texts);
  }
}

const kinds: Record<string, string> = {
  text: 'text',
  email: 'text',
  url: 'text',
  phone: 'text',
  select: 'choice',
  multiSelect: 'choices',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'time',
  relation: 'id',
};
const ordered = ['number', 'date', 'time'];

interface FilterOperators {
  readonly name: string;
  readonly kind: string;
  readonly field: Any;
}

/** The possible filters of a database's lists. */
const usable = (fields: readonly Any[]): FilterOperators[] => [
  ...['id', 'published', 'createdAt', 'updatedAt'].map((name) => ({
    name,
    kind: name === 'id' ? 'id' : name === 'published' ? 'boolean' : 'time',
    field: undefined,
  })),
  ...fields
    .filter(({ hidden, indexed, type }) => !hidden && indexed !== false && kinds[type])
    .map((field) => ({ name: field.key, kind: kinds[field.type] as string, field })),
];

interface Condition extends FilterOperators {
  readonly operator: string;
  readonly value: string;
}

export interface RandomQuery {
  readonly conditions: readonly Condition[];
  readonly sort: readonly (FilterOperators & { readonly isDescending: boolean })[];
  readonly search: string | undefined;
}

export function randomQuery(random: Random, fields: readonly Any[], entries: readonly Any[]): RandomQuery {
  const all = usable(fields);
  const condition = (): Condition => {
    const field = pick(random, all);
    const operator = pick(random, [
      'eq',
      'ne',
      'in',
      'exists',
      ...(ordered.includes(field.kind) ? ['gt', 'gte', 'lt', 'lte'] : []),
      ...(field.kind === 'text' ? ['contains', 'contains'] : []),
    ]);
    return { ...field, operator, value: valueFor(random, field, operator, entries) };
  };
  const sortable = all.filter(({ kind, name }) => kind !== 'choices' && (kind !== 'id' || name === 'id'));
  const sort = [...new Set(Array.from({ length: random.below(4) }, () => pick(random, sortable)))];
  return {
    conditions: Array.from({ length: random.below(3) }, condition),
    sort: sort.map((column) => ({ ...column, isDescending: random.isLikely(0.5) })),
    search: random.isLikely(0.25)
      ? pick(random, ['kabsa', 'كبسة', 'ZAATAR 12', '🍋', 'kab zaa', 'x', '  '])
      : undefined,
  };
}

function valueFor(
  random: Random,
  { name, kind, field }: FilterOperators,
  operator: string,
  entries: readonly Any[],
): string {
  if (operator === 'exists') return String(random.isLikely(0.5));
  const single = (): string => {
    if (kind === 'boolean') return String(random.isLikely(0.5));
    if (name === 'id') return entries.length > 0 ? pick(random, entries).id : 'none';
    if (!field)
      return random.isLikely(0.3)
        ? '2026-01-03'
        : (pick(random, entries.length > 0 ? entries : [{ [name]: moments[0] }])[name] as string);
    if (kind === 'id') return pick(random, ['o1', 'o2', 'gone']);
    if (kind === 'choice' || kind === 'choices') return pick(random, ['hot', 'New', 'new', 'none']);
    if (operator === 'contains') return pick(random, ['kab', 'كبس', '12', 'XX', 'Example', '50']);
    if (field.type === 'text')
      return pick(random, [...words.filter((word) => word.trim() !== ''), long[0] as string, 'lina@example.com']);
    let value: unknown = null;
    while (value === null) value = randomValue(random, field);
    return String(value);
  };
  return operator === 'in' ? Array.from({ length: 1 + random.below(3) }, single).join() : single();
}

export const queryText = ({ conditions, sort, search }: RandomQuery): URLSearchParams => {
  const query = new URLSearchParams();
  for (const { name, operator, value } of conditions) {
    const key = operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`;
    query.set(key, value);
  }
  if (sort.length > 0)
    query.set('sort', sort.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${name}`).join());
  if (search !== undefined) query.set('search', search);
  return query;
};

/** The expected ids of a list, computed directly from the specification. */
export function expected(
  entries: readonly Any[],
  fields: readonly Any[],
  query: RandomQuery,
  locale?: string,
): string[] {
  // A parameter is sent once, so the last of two conditions with one name is used.
  const conditions = [
    ...new Map(query.conditions.map((condition) => [`${condition.name} ${condition.operator}`, condition])).values(),
  ];
  const wanted = foldText(query.search ?? '')
    .split(/\s+/)
    .filter(Boolean);
  return entries
    .filter(
      (entry) =>
        conditions.every((condition) => meetsCondition(entry, condition, locale)) && isSearched(entry, fields, wanted),
    )
    .sort((a, b) => compare(a, b, query.sort, locale))
    .map(({ id }) => id);
}

function valuesOf(entry: Any, { name, field }: FilterOperators, locale: string | undefined): Any[] {
  const raw = field ? entry.values[name] : entry[name];
  const list = field?.localized ? (locale ? [locale] : languages).map((language) => raw?.[language]) : [raw].flat();
  return list.filter((value) => value !== null && value !== undefined && value !== '');
}

function meetsCondition(entry: Any, condition: Condition, locale: string | undefined): boolean {
  const { kind, operator, value } = condition;
  const values = valuesOf(entry, condition, locale);
  const order = (a: Any, b: string): number => {
    if (kind === 'number') return a - Number(b);
    if (kind === 'time') return Date.parse(a) - Date.parse(b);
    return a < b ? -1 : Number(a > b);
  };
  const equal = (b: string) =>
    values.some((a) =>
      kind === 'boolean'
        ? String(a) === b
        : kind === 'number' || kind === 'time'
          ? order(a, b) === 0
          : a === b && [...a].length <= 200 && (kind !== 'id' || values.length <= 50),
    );
  switch (operator) {
    case 'eq':
      return equal(value);
    case 'ne':
      return !equal(value);
    case 'in':
      return value.split(',').some((option) => equal(option.trim()));
    case 'exists':
      return values.some((stored) => typeof stored !== 'string' || stored.trim() !== '') === (value === 'true');
    case 'contains':
      return values.some((stored) => foldText(begin(stored)).includes(foldText(value)));
    default:
      return values.some(
        (stored) =>
          ({
            gt: order(stored, value) > 0,
            gte: order(stored, value) >= 0,
            lt: order(stored, value) < 0,
            lte: order(stored, value) <= 0,
          })[operator],
      );
  }
}

const begin = (text: string): string => [...text].slice(0, 200).join('');

function isSearched(entry: Any, fields: readonly Any[], wanted: readonly string[]): boolean {
  const searched = fields.filter(
    ({ type, hidden, indexed }) => (type === 'text' || type === 'longText') && !hidden && indexed !== false,
  );
  const found = searched
    .flatMap((field) => valuesOf(entry, { name: field.key, kind: 'text', field }, undefined))
    .map((text) => foldText(begin(text)));
  return wanted.every((word) => found.some((text) => text.includes(word)));
}

function compare(a: Any, b: Any, sort: RandomQuery['sort'], locale: string | undefined): number {
  for (const column of sort) {
    const [left, right] = [a, b].map((entry) => {
      const value = valuesOf(entry, column, locale ?? 'en')[0];
      if (value === undefined || (typeof value === 'string' && value.trim() === '')) return undefined;
      if (column.kind === 'time') return Date.parse(value);
      return column.kind === 'text' || column.kind === 'choice' ? foldText(begin(value)) : value;
    });
    if (left === undefined && right === undefined) continue;
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    const order = typeof left === 'string' ? byCodePoint(left, right) : Number(left) - Number(right);
    if (order !== 0) return column.isDescending ? -order : order;
  }
  return `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1;
}

function byCodePoint(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
