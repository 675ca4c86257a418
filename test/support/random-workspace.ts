import { Permission } from '#lib/domain/access/permission.ts';
import type { EditsDecision } from '#lib/workspace/import-document.ts';
import { type Answer, call } from './call.ts';
import { exportedFromScan } from './document-text.ts';
import { everyKind, linaSecret, newWorkspaceId, siteSecret } from './every-kind.ts';
import { Random } from './history/random.ts';
import { type Document, importFile, storeWorkspace } from './world.ts';

/** The lists of a document whose records an import may omit. The keys and members of the test stay. */
const lists: readonly (readonly [group: string, list: string])[] = [
  ...(['models', 'entries'] as const).map((list) => ['cms', list] as const),
  ...(['categories', 'products'] as const).map((list) => ['menu', list] as const),
  ...(['channels', 'customers', 'agents', 'conversations', 'messages'] as const).map(
    (list) => ['messaging', list] as const,
  ),
  ...(['forms', 'attachments', 'formResponses', 'notifications'] as const).map((list) => ['', list] as const),
];

const managed = {
  'cms-models': ({ cms }: Document) => cms?.models,
  'cms-entries': ({ cms }: Document) =>
    cms?.entries?.map((entry: Document) => ({ ...entry, id: `${entry.modelId}/${entry.id}` })),
  'menu-categories': ({ menu }: Document) => menu?.categories,
  'menu-products': ({ menu }: Document) => menu?.products,
  forms: ({ forms }: Document) => forms,
  'form-responses': ({ formResponses }: Document) => formResponses,
  notifications: ({ notifications }: Document) => notifications,
  attachments: ({ attachments }: Document) => attachments,
  agents: ({ messaging }: Document) => messaging?.agents,
  channels: ({ messaging }: Document) => messaging?.channels,
  customers: ({ messaging }: Document) => messaging?.customers,
  members: ({ members }: Document) => members.filter(({ id }: Document) => id !== 'mem_lina'),
} as const;
type Managed = keyof typeof managed;

/** A workspace that random writes of every kind change, over HTTP and by imports. */
export class RandomWorkspace {
  readonly workspaceId = newWorkspaceId();
  /** The steps so far, for the message of a failure. */
  readonly steps: string[] = [];
  readonly #random: Random;
  #made = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  async open(): Promise<void> {
    const document = everyKind(this.workspaceId);
    const permissions = [...Permission.options];
    document.apiKeys[0].permissions = permissions;
    document.apiKeys[1].permissions = permissions;
    document.members[0].permissions = permissions;
    document.messaging.agents.push({ id: 'agent_2', name: 'Plain' });
    await storeWorkspace(document);
  }

  async step(): Promise<void> {
    const act = this.#random.pick([
      [4, this.#change],
      [3, this.#remove],
      [3, this.#changeModel],
      [1, this.#changeLanguages],
      [2, this.#submit],
      [3, this.#talk],
      [3, this.#import],
    ] as const);
    await act.call(this, await exportedFromScan(this.workspaceId));
  }

  #one = <Item>(items: readonly Item[] | undefined): Item | undefined =>
    items && items.length > 0 ? items[this.#random.below(items.length)] : undefined;

  async #call(request: string, body?: object, key = siteSecret(this.workspaceId)): Promise<Answer> {
    const answer = await call(request, { key, ...(body && { body }) });
    this.steps.push(`${request} ${body ? JSON.stringify(body).slice(0, 300) : ''} -> ${answer.status}`);
    if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}\n${this.steps.join('\n')}`);
    return answer;
  }

  /** Replaces a record by its copy, or creates another one with its content. */
  async #change(document: Document): Promise<void> {
    const name = this.#one(Object.keys(managed) as Managed[]) as Managed;
    const record = this.#one(managed[name](document) as Document[] | undefined);
    if (!record) return;
    const own = name === 'cms-entries' ? { ...record, id: record.id.split('/')[1] } : record;
    if (this.#random.isLikely(0.5)) {
      await this.#call(`PUT /api/v1/manage/${name}/${record.id}`, { ...own, ...this.#touch(name, record, document) });
      return;
    }
    const number = this.#made++;
    const named = { id: `new_${number}`, slug: `new-${number}`, identifier: `new-${number}.example`, email: null };
    const names = Object.fromEntries(Object.entries(named).filter(([member]) => member in own));
    await this.#call(`POST /api/v1/manage/${name}`, { ...own, ...names, ...this.#touch(name, record, document) });
  }

  #any = <Choice>(...choices: readonly Choice[]): Choice => this.#one(choices) as Choice;

  /** The members that make a copy a different record. */
  #touch(name: Managed, record: Document, { menu, cms }: Document): object {
    const text = `text ${this.#made++}`;
    if (name === 'menu-products') return { categoryId: this.#one<Document>(menu?.categories)?.id ?? 'none' };
    if (name === 'agents') return { language: this.#any('en', 'ar', 'fr') };
    if (name !== 'cms-entries') return {};
    const title = this.#any({ en: text }, { ar: text }, null);
    const size = this.#any('s', 'm', null);
    const values = { title, size, next: this.#one<Document>(cms?.entries)?.id ?? null };
    const known = Object.entries(values).filter(([key]) => key in record.values);
    return { values: { ...record.values, ...Object.fromEntries(known) } };
  }

  async #remove(document: Document): Promise<void> {
    const name = this.#one(Object.keys(managed) as Managed[]) as Managed;
    const record = this.#one(managed[name](document) as Document[] | undefined);
    if (record) await this.#call(`DELETE /api/v1/manage/${name}/${record.id}`);
  }

  async #changeModel({ cms }: Document): Promise<void> {
    const model = this.#one<Document>(cms?.models);
    if (!model) return;
    const fields = structuredClone(model.fields);
    const field = this.#one<Document>(fields);
    this.#random.pick<() => void>([
      [2, () => field && Object.assign(field, { required: !field.required })],
      [1, () => field && Object.assign(field, { hidden: !field.hidden })],
      [2, () => field?.options?.splice(0, 1)],
      [1, () => fields.splice(this.#random.below(fields.length), 1)],
      [
        1,
        () =>
          fields.push({
            key: `f${this.#made++}`,
            name: { en: `f${this.#made++}` },
            type: 'text',
            required: this.#random.isLikely(0.5),
          }),
      ],
      [1, () => field && Object.assign(field, { type: 'email', localized: false })],
    ])();
    await this.#call(`PATCH /api/v1/manage/cms-models/${model.id}`, { fields });
  }

  async #changeLanguages(): Promise<void> {
    const languages = this.#any(['en', 'ar'], ['en', 'ar'], ['en'], ['ar', 'fr']);
    await this.#call('PATCH /api/v1/manage/workspace', { languages, defaultLanguage: languages[0] });
  }

  async #submit({ forms }: Document): Promise<void> {
    const form = this.#one<Document>(forms);
    if (!form) return;
    const address = `POST /api/public/forms/${encodeURIComponent(form.slug)}?apiKey=${siteSecret(this.workspaceId)}`;
    await this.#call(address, { email: 'a@b.co', _page: '/contact' });
  }

  async #talk({ messaging = {} }: Document): Promise<void> {
    const { channels, customers, conversations } = messaging;
    const channelId = this.#one<Document>(channels)?.id;
    const customerId = this.#one<Document>(customers)?.id;
    const own = this.#one<Document>(conversations);
    const lina = linaSecret(this.workspaceId);
    const path = '/api/v1/connect/conversations';
    const language = this.#any('en', 'ar', null, null);
    if (!own || this.#random.isLikely(0.4)) {
      const of = own && this.#random.isLikely(0.5) ? { parentId: own.id, kind: 'order' } : { channelId, customerId };
      await this.#call(`POST ${path}`, { ...of, ...(language && { language }) }, lina);
      return;
    }
    if (this.#random.isLikely(0.3)) {
      const status = this.#any('open', 'resolved');
      await this.#call(`PATCH ${path}/${own.id}`, { status, language }, lina);
      return;
    }
    await this.#call(
      `POST ${path}/${own.id}/messages`,
      { text: `message ${this.#made++}`, senderType: 'member' },
      lina,
    );
  }

  /** Imports a part of an export, in which a member's address may belong to another. The import may be refused. */
  async #import(document: Document): Promise<void> {
    const part = structuredClone(document);
    for (const [group, list] of lists) {
      const place = group === '' ? part : part[group];
      if (!place?.[list]) continue;
      if (this.#random.isLikely(0.5)) delete place[list];
      else place[list] = place[list].filter(() => this.#random.isLikely(0.8));
    }
    if (this.#random.isLikely(0.5)) delete part.exportedAt;
    const prune = this.#random.isLikely(0.6);
    const decision = this.#any('undo', 'undo', 'keep') as EditsDecision;
    const { failures, changed } = await importFile(part, { prune, onEdits: async () => decision });
    const refused = failures.map(({ kind, id, path, code }) => [kind, id, path, code].join(' ')).join('; ');
    const left = lists.map(([group, list]) => `${list}=${(group === '' ? part : part[group])?.[list]?.length ?? '-'}`);
    this.steps.push(`import prune=${prune} ${decision} ${left.join(' ')}: ${changed} changes ${refused}`);
  }
}
