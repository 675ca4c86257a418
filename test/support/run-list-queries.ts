import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Containers } from './containers.ts';
import { Random } from './history/random.ts';
import { expected, languages, queryText, randomFields, randomQuery, randomValue, relatedIds } from './list-oracle.ts';
import { type Document, load } from './world.ts';

const permissions = ['read', 'create', 'update', 'delete', 'read-unpublished', 'read-hidden'].map(
  (action) => `cms:entry:${action}`,
);
const databasesPerWorkspace = 25;
const databasesAtOnce = 5;
const steps = 2;
/** The numbers for each database: two queries in each step, and an iteration. */
const queriesPerDatabase = 2 * steps + 1;

/** The targets of relations. */
const others = relatedIds.map((id) => ({ id, modelId: 'other', values: {} }));

interface Database {
  readonly id: string;
  /** A separate generator for each database, so that a seed gives the same queries in any order of the databases. */
  readonly random: Random;
  fields: Document[];
  readonly entries: Document[];
}

/**
 * Queries random databases, updates them and imports them again. It compares every answer with a plain array.
 * @param queries their approximate number; each is followed to its last page
 */
export async function runListQueries(containers: Containers, seed: number, queries: number): Promise<void> {
  const count = Math.ceil(queries / queriesPerDatabase);
  for (let done = 0; done < count; done += databasesPerWorkspace) {
    const world = new QueryWorld(seed + done, Math.min(databasesPerWorkspace, count - done));
    await world.import(world.databases);
    for (let step = 0; step < steps; step++) {
      const left = [...world.databases];
      const work = async () => {
        for (let database = left.pop(); database; database = left.pop()) await world.run(containers, database, step);
      };
      await Promise.all(Array.from({ length: databasesAtOnce }, work));
      if (step === 0) await world.change();
    }
  }
}

class QueryWorld {
  readonly #random: Random;
  readonly #workspaceId = `ws_${randomUUID().replaceAll('-', '')}`;
  readonly #key = `key-${randomUUID()}`;
  readonly databases: readonly Database[];

  constructor(seed: number, count: number) {
    this.#random = new Random(seed);
    this.databases = Array.from({ length: count }, (_, index) => {
      const random = new Random(seed * 1_000 + index);
      const fields = randomFields(random);
      const id = `db${index}`;
      const entries = Array.from({ length: random.below(12) }, (_entry, number) =>
        this.#entry({ id, fields, random }, `e${number}`),
      );
      return { id, random, fields, entries };
    });
  }

  #entry({ id: modelId, fields, random }: Omit<Database, 'entries'>, id: string): Document {
    // The creation time of a stored entry does not change.
    const createdAt = new Date(
      Date.UTC(2026, 0, 1 + ([...id].reduce((sum, part) => sum + part.charCodeAt(0), 0) % 5)),
    ).toISOString();
    const values = Object.fromEntries(fields.map((field) => [field.key, randomValue(random, field)]));
    return { id, modelId, published: random.isLikely(0.7), createdAt, updatedAt: createdAt, values };
  }

  import = (databases: readonly Database[]) =>
    load({
      version: 1,
      workspace: { id: this.#workspaceId, name: 'Queries', languages, defaultLanguage: 'en', currency: 'SAR' },
      apiKeys: [{ id: 'key', name: 'key', secret: this.#key, permissions }],
      cms: {
        models: [
          { id: 'other', name: { en: 'Other' }, fields: [] },
          ...databases.map(({ id, fields }) => ({ id, name: { en: id }, fields })),
        ],
        entries: [...others, ...databases.flatMap(({ entries }) => entries)],
      },
    });

  /** An import that replaces some entries, adds some, and changes which fields are columns. */
  async change(): Promise<void> {
    const changed = this.databases.filter(() => this.#random.isLikely(0.5));
    for (const database of changed) {
      for (const [index, { id }] of database.entries.entries()) {
        if (this.#random.isLikely(0.3)) database.entries[index] = this.#entry(database, id);
      }
      database.entries.push(this.#entry(database, `n${this.#random.below(99)}`));
      if (this.#random.isLikely(0.4)) {
        database.fields = database.fields.map((field) =>
          this.#random.isLikely(0.2) ? { ...field, indexed: field.indexed === false } : field,
        );
      }
    }
    await this.import(changed);
  }

  async run(containers: Containers, database: Database, step: number): Promise<void> {
    await this.query(containers, database);
    await this.update(containers, database);
    await this.query(containers, database);
    await (step === 0 ? this.project(containers, database) : this.walk(containers, database));
  }

  /** @returns the id of the updated entry; undefined for an empty database */
  async update(containers: Containers, { id, random, fields, entries }: Database): Promise<string | undefined> {
    const entry = entries[random.below(entries.length)];
    if (!entry) return undefined;
    const changed = fields.filter(() => random.isLikely(0.15));
    const values = Object.fromEntries(changed.map((field) => [field.key, randomValue(random, field)]));
    const published = random.isLikely(0.2) ? { published: random.isLikely(0.5) } : {};
    const container = containers.at(random.below(9));
    const { status, json } = await container.call(
      `PATCH /api/public/cms/${id}/${entry.id}?fields=updatedAt&includeHidden=true`,
      {
        key: this.#key,
        body: { values: { ...values, ...published } },
      },
    );
    expect({ status, json }).toMatchObject({ status: 200 });
    for (const { key, localized } of changed) {
      const value = values[key] as object | null;
      entry.values[key] = localized && value ? { ...entry.values[key], ...value } : value;
    }
    Object.assign(entry, published, { updatedAt: json.updatedAt });
    return entry.id;
  }

  /** @returns the id of an entry that was created, removed or updated */
  async #touch(containers: Containers, database: Database): Promise<string | undefined> {
    const { id: modelId, random, entries } = database;
    const kind = random.below(3);
    if (kind === 0) return this.update(containers, database);
    const place = random.below(entries.length);
    const entry = kind === 1 ? this.#entry(database, `w${random.below(1e9)}`) : entries[place];
    if (!entry) return undefined;
    const address = `/api/v1/manage/cms-entries/${modelId}/${entry.id}`;
    const { status, text } = await containers
      .at(random.below(9))
      .call(`${kind === 1 ? 'PUT' : 'DELETE'} ${address}`, { key: this.#key, ...(kind === 1 && { body: entry }) });
    expect([address, status, text]).toEqual([address, kind === 1 ? 201 : 204, expect.anything()]);
    if (kind === 1) entries.push(entry);
    else entries.splice(place, 1);
    return entry.id;
  }

  /**
   * Iterates by cursor during inserts, removals and changes. Every untouched entry must appear exactly once, in order.
   */
  async walk(containers: Containers, database: Database): Promise<void> {
    const { id, random, fields, entries } = database;
    const query = randomQuery(random, fields, entries);
    const before = expected(entries, fields, query);
    const touched = new Set<string | undefined>();
    const found: string[] = [];
    let cursor: string | undefined = '';
    for (let pages = 0; cursor !== undefined && pages < 30; pages++) {
      const place: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const address = `GET /api/public/cms/${id}/list?${queryText(query)}&fields=id&limit=${1 + (pages % 3)}${place}`;
      const answer = await containers.at(random.below(9)).call(address, { key: this.#key });
      expect({ address, status: answer.status }).toEqual({ address, status: 200 });
      found.push(...answer.json.map((entry: Document) => entry.id));
      cursor = answer.headers['x-cms-next-cursor'];
      touched.add(await this.#touch(containers, database));
    }
    const untouched = (ids: readonly string[]) => ids.filter((id) => !touched.has(id));
    expect({ query: String(queryText(query)), ids: untouched(found) }).toEqual({
      query: String(queryText(query)),
      ids: untouched(before),
    });
  }

  /** An answer with some fields in one language must equal that part of the complete answer. */
  async project(containers: Containers, { id, random, fields }: Database): Promise<void> {
    const names = fields.filter(({ hidden }) => !hidden && random.isLikely(0.5)).map(({ key }) => key);
    const chain = random.isLikely(0.5) ? ['ar', 'en'] : ['en'];
    const [locale, ...fallback] = chain;
    const read = async (query: string) => {
      const address = `GET /api/public/cms/${id}/list?maxDepth=0&${query}`;
      const { status, json } = await containers.at(random.below(9)).call(address, { key: this.#key });
      expect({ address, status }).toEqual({ address, status: 200 });
      return json as Document[];
    };
    const whole = await read('limit=20');
    const shown = await read(`limit=20&fields=${['id', ...names].join()}&locale=${locale}&fallback=${fallback}`);
    const isLocalized = new Set(fields.filter(({ localized }) => localized).map(({ key }) => key));
    const textOf = (texts: Record<string, string> | null) =>
      chain.map((language) => texts?.[language]).find((text) => text !== undefined && text.trim() !== '') ?? null;
    const projected = whole.map((entry) => ({
      id: entry.id,
      ...Object.fromEntries(names.map((name) => [name, isLocalized.has(name) ? textOf(entry[name]) : entry[name]])),
    }));
    expect(shown).toEqual(projected);
  }

  /** Reads a complete list, page by page, by offset or by cursor. */
  async query(containers: Containers, { id, random, fields, entries }: Database): Promise<void> {
    const query = randomQuery(random, fields, entries);
    const locale = [undefined, undefined, 'en', 'ar'][random.below(4)];
    const inLocale = locale ? `&locale=${locale}` : '';
    const isByCursor = random.isLikely(0.5);
    const limit = 2 + random.below(12);
    const found: string[] = [];
    let place = '';
    for (let pages = 0; pages < 30; pages++) {
      const address = `GET /api/public/cms/${id}/list?${queryText(query)}${inLocale}&fields=id&limit=${limit}${place}`;
      const { status, headers, json } = await containers.at(random.below(9)).call(address, { key: this.#key });
      const wanted = expected(entries, fields, query, locale);
      expect({ address, status, total: headers['x-cms-total'], json }).toMatchObject({
        status: 200,
        total: String(wanted.length),
        json: wanted.slice(found.length, found.length + limit).map((id) => ({ id })),
      });
      found.push(...json.map((entry: Document) => entry.id));
      const next = headers['x-cms-next-cursor'];
      if (next === undefined) return expect(found).toEqual(wanted);
      place = isByCursor ? `&cursor=${next}` : `&offset=${found.length}`;
    }
  }
}
