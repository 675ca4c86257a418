import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Containers } from './containers.ts';
import { Random } from './history/random.ts';
import { expected, languages, queryText, randomFields, randomQuery, randomValue } from './list-oracle.ts';
import { type Document, load } from './world.ts';

const permissions = ['cms:entry:read', 'cms:entry:update', 'cms:entry:read-unpublished', 'cms:entry:read-hidden'];
const databasesAtOnce = 15;
const steps = 2;
const queriesPerStep = 1;

/** What entries relate to. */
const others = ['o1', 'o2'].map((id) => ({ id, modelId: 'other', values: {} }));

interface Database {
  readonly id: string;
  fields: Document[];
  readonly entries: Document[];
}

/**
 * Random databases are queried, updated and imported again; every answer is held against a plain array.
 * @param runs how many databases
 */
export async function runListQueries(containers: Containers, seed: number, runs: number): Promise<void> {
  for (let done = 0; done < runs; done += databasesAtOnce) {
    const random = new Random(seed + done);
    const world = new QueryWorld(random, Math.min(databasesAtOnce, runs - done));
    await world.import(world.databases);
    for (let step = 0; step < steps; step++) {
      for (const database of world.databases) {
        for (let query = 0; query < queriesPerStep; query++) await world.query(containers, database);
        await world.update(containers, database);
        await world.query(containers, database);
      }
      if (step === 0) await world.change();
    }
  }
}

class QueryWorld {
  readonly #random: Random;
  readonly #workspaceId = `ws_${randomUUID().replaceAll('-', '')}`;
  readonly #key = `key-${randomUUID()}`;
  readonly databases: readonly Database[];

  constructor(random: Random, count: number) {
    this.#random = random;
    this.databases = Array.from({ length: count }, (_, index) => {
      const fields = randomFields(random);
      const id = `db${index}`;
      const entries = Array.from({ length: random.below(12) }, (_entry, number) =>
        this.#entry(id, fields, `e${number}`),
      );
      return { id, fields, entries };
    });
  }

  #entry(modelId: string, fields: readonly Document[], id: string): Document {
    const createdAt = new Date(Date.UTC(2026, 0, 1 + this.#random.below(5))).toISOString();
    const values = Object.fromEntries(fields.map((field) => [field.key, randomValue(this.#random, field)]));
    return { id, modelId, published: this.#random.isLikely(0.7), createdAt, updatedAt: createdAt, values };
  }

  import = (databases: readonly Database[]) =>
    load({
      version: 1,
      workspace: { id: this.#workspaceId, name: 'Queries', languages, defaultLanguage: 'en', currency: 'SAR' },
      apiKeys: [{ id: 'key', name: 'key', secret: this.#key, permissions }],
      cms: {
        models: [
          { id: 'other', name: {}, fields: [] },
          ...databases.map(({ id, fields }) => ({ id, name: {}, fields })),
        ],
        entries: [...others, ...databases.flatMap(({ entries }) => entries)],
      },
    });

  /** An import that replaces some entries, adds some, and changes which fields are columns. */
  async change(): Promise<void> {
    const changed = this.databases.filter(() => this.#random.isLikely(0.5));
    for (const database of changed) {
      for (const [index, { id }] of database.entries.entries()) {
        if (this.#random.isLikely(0.3)) database.entries[index] = this.#entry(database.id, database.fields, id);
      }
      database.entries.push(this.#entry(database.id, database.fields, `n${this.#random.below(99)}`));
      if (this.#random.isLikely(0.4)) {
        database.fields = database.fields.map((field) =>
          this.#random.isLikely(0.2) ? { ...field, indexed: field.indexed === false } : field,
        );
      }
    }
    await this.import(changed);
  }

  async update(containers: Containers, { id, fields, entries }: Database): Promise<void> {
    const entry = entries[this.#random.below(entries.length)];
    if (!entry) return;
    const changed = fields.filter(() => this.#random.isLikely(0.15));
    const values = Object.fromEntries(changed.map((field) => [field.key, randomValue(this.#random, field)]));
    const published = this.#random.isLikely(0.2) ? { published: this.#random.isLikely(0.5) } : {};
    const container = containers.at(this.#random.below(9));
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
  }

  /** Asks for a whole list, page by page by offset or by cursor. */
  async query(containers: Containers, { id, fields, entries }: Database): Promise<void> {
    const query = randomQuery(this.#random, fields, entries);
    const isByCursor = this.#random.isLikely(0.5);
    const limit = 2 + this.#random.below(12);
    const found: string[] = [];
    let place = '';
    for (let pages = 0; pages < 30; pages++) {
      const address = `GET /api/public/cms/${id}/list?${queryText(query)}&fields=id&limit=${limit}${place}`;
      const { status, headers, json } = await containers.at(this.#random.below(9)).call(address, { key: this.#key });
      const wanted = expected(entries, fields, query);
      expect({ address, status, total: headers['x-cms-total'], json }).toMatchObject({
        status: 200,
        total: String(wanted.length),
        json: wanted.slice(found.length, found.length + limit).map((one) => ({ id: one })),
      });
      found.push(...json.map((one: Document) => one.id));
      const next = headers['x-cms-next-cursor'];
      if (next === undefined) return expect(found).toEqual(wanted);
      place = isByCursor ? `&cursor=${next}` : `&offset=${found.length}`;
    }
  }
}
