import { randomUUID } from 'node:crypto';
import { removeAll } from '#lib/table/dynamodb/write-all.ts';
import { keys } from '#lib/table/keys.ts';
import { ApiKeys } from '#lib/workspace/command/api-keys.ts';
import { pathOf } from '#test/support/presets/forms.ts';
import type { Workspace } from '#test/support/workspace.ts';
import type { Answer, Call } from '../call.ts';
import type { Containers } from '../containers.ts';
import { KillableTable } from '../killable-table.ts';
import { type Document, importFile, testTable } from '../world.ts';
import { type History, registerOf } from './history.ts';
import type { Random } from './random.ts';
import { RecordingClient, type TimedAnswer } from './recording-client.ts';
import type { Step } from './register.ts';
import {
  chefs,
  dish,
  guests,
  importedDocument,
  jots,
  managerOf,
  notes,
  products,
  productsOf,
  things,
  type Writes,
} from './world.ts';

const triesMax = 4;
const writesOfImportMax = 60;

/** The state that several clients share: the world, and counters that make each written value unique. */
export class SharedWorld {
  readonly containers: Containers;
  readonly world: Workspace<'forms'>;
  readonly history: History;
  readonly submitted = new Map<string, boolean>();
  readonly withImports: boolean;
  isImporting = false;
  #number = 16;

  /** @param withImports whether clients import, too */
  constructor(containers: Containers, world: Workspace<'forms'>, history: History, withImports: boolean) {
    this.containers = containers;
    this.world = world;
    this.history = history;
    this.withImports = withImports;
  }

  newNumber = (): number => ++this.#number;
}

/** A client that does one operation after the other, each in a random container, and records all results. */
export class Client {
  readonly #shared: SharedWorld;
  readonly #random: Random;
  readonly #client: RecordingClient;
  readonly #tags = new Map<string, string>();

  constructor(shared: SharedWorld, random: Random) {
    this.#shared = shared;
    this.#random = random;
    this.#client = new RecordingClient(shared.containers, shared.history, random);
  }

  async act(): Promise<void> {
    const operation = this.#random.pick<() => Promise<void>>([
      [22, () => this.#updateTitle()],
      [14, () => this.#updateChef()],
      [8, () => this.#updateDish()],
      [8, () => this.#comeOrGo()],
      [46, () => this.#read()],
      [6, () => this.#submit()],
      [2, () => this.#revoke()],
      [this.#shared.withImports ? 3 : 0, () => this.#import()],
    ]);
    await operation();
  }

  async #updateTitle(): Promise<void> {
    const id = this.#one([...things, ...notes]);
    const title = `title ${this.#shared.newNumber()}`;
    const modelId = id.startsWith('thing') ? 'things' : 'notes';
    await this.#updateEntry(`${modelId}/${id}`, { title }, [[`${id}.title`, title]]);
  }

  async #updateChef(): Promise<void> {
    const id = this.#one(chefs);
    const number = this.#shared.newNumber();
    const signature = productsOf(number);
    const name = `name ${number}`;
    await this.#updateEntry(`chefs/${id}`, { signature, name: { en: name } }, [
      [`${id}.name`, name],
      [`${id}.signature`, signature.join()],
    ]);
  }

  async #updateDish(): Promise<void> {
    const id = this.#one(products);
    const name = `dish ${this.#shared.newNumber()}`;
    await this.#update(`PATCH /api/v1/manage/menu-products/${id}`, { name: { en: name } }, [[`${id}.name`, name]]);
  }

  /** Removes a record, or makes it again. Neither is repeated. */
  async #comeOrGo(): Promise<void> {
    const { history, world } = this.#shared;
    const id = this.#one([...guests, ...jots]);
    const path = `/api/v1/manage/${guests.includes(id) ? 'menu-products' : 'cms-entries/jots'}/${id}`;
    const isGoing = this.#random.isLikely(0.5);
    const value = `${isGoing ? 'gone' : 'born'} ${this.#shared.newNumber()}`;
    const body = guests.includes(id) ? dish(id, value) : { values: { title: value } };
    const request = `${isGoing ? 'DELETE' : 'PUT'} ${path}`;
    const { answer, start, end } = await this.#ask(request, { key: managerOf(world), ...(!isGoing && { body }) });
    this.#client.expect(request, answer, isGoing ? [204, 404, 503] : [200, 201, 503]);
    if (answer.status === 404) return history.missed([id], [], start, end);
    history.wrote(registerOf(id), value, start, answer.status === 503 ? Number.POSITIVE_INFINITY : end);
  }

  /** By the API of entries or by management. */
  #updateEntry(path: string, values: object, writes: Writes): Promise<void> {
    const isManaged = this.#random.isLikely(0.3);
    const address = isManaged ? `/api/v1/manage/cms-entries/${path}` : `/api/public/cms/${path}?maxDepth=1`;
    return this.#update(`PATCH ${address}`, { values }, writes);
  }

  /** An update with an idempotency key is retried after 503, one without is not. */
  async #update(request: string, body: object, writes: Writes): Promise<void> {
    const hasKey = this.#random.isLikely(0.5);
    const headers: Record<string, string> = hasKey ? { 'idempotency-key': randomUUID() } : {};
    const isManaged = request.includes('/manage/');
    const key = isManaged ? managerOf(this.#shared.world) : this.#shared.world.keys.editor;
    const asked = await this.#ask(request, { body, headers, key }, hasKey ? triesMax : 1);
    const { answer, start, end, isRepeated } = asked;
    this.#client.expect(request, answer, [200, 503]);
    for (const [register, value] of writes) {
      this.#shared.history.wrote(register, value, start, answer.status === 200 ? end : Number.POSITIVE_INFINITY);
    }
    // A recorded answer is as old as the first attempt.
    if (answer.status === 200 && !isRepeated) this.#shared.history.saw(request, answer, start, end);
  }

  async #read(): Promise<void> {
    const request = this.#random.pick<string>([
      [3, 'GET /api/public/cms/things/list?maxDepth=0'],
      [2, 'GET /api/public/cms/things/list?maxDepth=2&limit=2&offset=1'],
      [3, 'GET /api/public/cms/chefs/list?maxDepth=1'],
      [2, 'GET /api/public/cms/chefs/list?maxDepth=0&limit=3'],
      [1, 'GET /api/public/cms/notes/list'],
      [2, 'GET /api/public/cms/jots/list'],
      [1, `GET /api/public/cms/jots/${this.#one(jots)}`],
      [2, `GET /api/public/cms/chefs/${this.#one(chefs)}?maxDepth=2`],
      [2, `GET /api/public/cms/things/${this.#one(things)}?maxDepth=0`],
      [1, `GET /api/public/cms/notes/${this.#one(notes)}`],
      [4, 'GET /api/public/menu/products?limit=100'],
      [1, 'GET /api/public/menu/products?limit=100&sortBy=name'],
      [1, `GET /api/public/menu/products?ids=${this.#one(products)}`],
      [1, 'GET /api/public/menu/products?limit=100&includeCmsData=false'],
    ]);
    const tag = this.#random.isLikely(0.4) ? this.#tags.get(request) : undefined;
    const { answer, start, end } = await this.#ask(request, {
      headers: tag === undefined ? {} : { 'if-none-match': tag },
    });
    const jot = /jots\/(jot_\d)/.exec(request)?.slice(1) ?? [];
    this.#client.expect(request, answer, [200, 503, ...(tag === undefined ? [] : [304]), ...jot.map(() => 404)]);
    if (answer.status === 503) return;
    if (answer.status === 404) return this.#shared.history.missed(jot, [], start, end);
    const text = this.#shared.history.saw(request, answer, start, end);
    this.#tags.set(request, answer.headers['etag'] ?? '');
    if (text !== undefined) this.#judgeWhole(request, JSON.parse(text), answer, start, end);
  }

  /** Judges lists: each must count and show every record, and the menu every chef with the chef's products. */
  #judgeWhole(request: string, json: Document, { headers }: Answer, start: Step, end: Step): void {
    const total = { things: things.length, chefs: chefs.length, notes: notes.length }[
      /cms\/(\w+)\/list/.exec(request)?.[1] ?? ''
    ];
    const [limit, offset] = ['limit', 'offset'].map((name) =>
      Number(new RegExp(`${name}=(\\d+)`).exec(request)?.[1] ?? NaN),
    );
    if (total !== undefined) {
      const rows = Math.min(limit || total, total - (offset || 0));
      if (json.length !== rows || (headers['x-cms-total'] ?? String(total)) !== String(total))
        this.#shared.history.fault(
          `${request} shows ${json.length} of ${headers['x-cms-total']} records, not ${rows} of ${total}.`,
        );
    }
    if (request.endsWith('jots/list')) this.#shared.history.missed(jots, json, start, end);
    if (!request.includes('products?limit=100')) return;
    this.#shared.history.missed(guests, json.data, start, end);
    const { length } = json.data.filter(({ id }: Document) => products.includes(id));
    if (length !== products.length)
      this.#shared.history.fault(`${request} shows ${length} products, not ${products.length}.`);
    if (request.includes('includeCmsData=false')) return;
    for (const id of chefs) {
      const showing = json.data.filter(({ cmsData }: Document) =>
        cmsData.chefs?.some((product: Document) => product.id === id),
      );
      this.#shared.history.sawInMenu(id, new Set(showing.map((product: Document) => product.id)), start, end);
    }
  }

  async #submit(): Promise<void> {
    const note = randomUUID();
    const request = `POST ${pathOf('visit')}?apiKey=${this.#shared.world.key}`;
    const { answer } = await this.#ask(request, { body: { note }, headers: { 'idempotency-key': note } }, triesMax);
    this.#client.expect(request, answer, [200, 503]);
    this.#shared.submitted.set(note, answer.status === 200);
  }

  /** Every container refuses a revoked key from the next request on. */
  async #revoke(): Promise<void> {
    const { containers, world, history } = this.#shared;
    const operator = await ApiKeys.of(testTable(), world.workspaceId);
    const { key, secret } = await operator.create({
      name: 'Short',
      memberId: null,
      permissions: ['cms:entry:read'],
      expiresAt: null,
    });
    const statuses = () =>
      Promise.all(
        containers.awake.map(
          async (container) => (await container.call('GET /api/public/cms/notes/list', { key: secret })).status,
        ),
      );
    for (const status of await statuses())
      if (![200, 503].includes(status)) history.fault(`A new key was answered ${status}.`);
    await operator.revoke(key.id, new Date());
    for (const status of await statuses())
      if (![401, 503].includes(status)) history.fault(`A revoked key was answered ${status}.`);
  }

  /**
   * Runs one import at a time. A third of the imports are killed at a random moment; the next one finds their partial
   * work.
   */
  async #import(): Promise<void> {
    const { history, world } = this.#shared;
    if (this.#shared.isImporting) return;
    this.#shared.isImporting = true;
    try {
      const { document, writes } = this.#newDocument();
      const isKilled = this.#random.isLikely(1 / 3);
      const table = isKilled ? new KillableTable(this.#random.below(writesOfImportMax)).table : testTable();
      const start = history.step();
      const isDone = await importFile(document, {}, table).then(
        ({ failures }) => failures.length === 0,
        () => false,
      );
      const end = isDone ? history.step() : Number.POSITIVE_INFINITY;
      if (!isDone && !isKilled) history.fault('An import has failed.');
      for (const [register, value] of writes) history.wrote(register, value, start, end);
      // Expires the lease of the killed import.
      if (!isDone) await removeAll(testTable(), [keys.importLease(world.workspaceId)]);
    } finally {
      this.#shared.isImporting = false;
    }
  }

  #newDocument() {
    const first = this.#random.below(products.length - 1);
    const changed = { chefId: this.#one(chefs), thingId: this.#one(things), dishes: products.slice(first, first + 2) };
    return importedDocument(this.#shared.world, this.#shared.newNumber(), changed);
  }

  #ask = (request: string, options: Call, tries = 1): Promise<TimedAnswer> =>
    this.#client.ask(request, { key: this.#shared.world.keys.editor, ...options }, tries);

  #one = <Choice>(choices: readonly Choice[]): Choice => choices[this.#random.below(choices.length)] as Choice;
}
