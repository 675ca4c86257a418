import { mailJobShards } from '#lib/table/forms/mail-jobs.ts';
import { keys } from '#lib/table/keys.ts';
import type { Item } from '#lib/table/schema.ts';
import { type Answer, call } from './call.ts';
import { openWorkspace, type Workspace } from './workspace.ts';
import { type Document, testTable } from './world.ts';

/** A field of a document, whose id and order are derived from its ref. */
export const field = (ref: string, type: string, validations: object = {}, rest: object = {}) => ({
  id: `ff_${ref}`,
  ref,
  title: { en: `Title of ${ref}` },
  type,
  validations,
  ...rest,
});

export const form = (slug: string, fields: readonly object[], rest: object = {}) => ({
  id: `form_${slug}`,
  slug,
  title: { en: `Form ${slug}` },
  fields,
  ...rest,
});

/** The stored data of a submit, by kind. */
export interface Stored {
  readonly responses: Document[];
  readonly notifications: Document[];
  readonly mailJobs: Item[];
}

/** A workspace with forms. */
export class FormKitchen {
  readonly kitchen: Workspace;

  private constructor(kitchen: Workspace) {
    this.kitchen = kitchen;
  }

  static async open(forms: readonly object[], change: (document: Document) => void = () => undefined) {
    const kitchen = await openWorkspace('kitchen', (document) => {
      document.forms = structuredClone(forms);
      change(document);
    });
    return new FormKitchen(kitchen);
  }

  get key(): string {
    return this.kitchen.keys.reader;
  }

  read(slug: string, key = this.key): Promise<Answer> {
    return call(`GET ${pathOf(slug)}?apiKey=${key}`);
  }

  submit(slug: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return call(`POST ${pathOf(slug)}?apiKey=${this.key}`, { body, headers });
  }

  async stored(): Promise<Stored> {
    const shards = Array.from({ length: mailJobShards }, (_, shard) => itemsOf(keys.mailJobs(shard)));
    const jobs = (await Promise.all(shards)).flat();
    return {
      responses: await this.#records('formResponse'),
      notifications: await this.#records('notification'),
      mailJobs: jobs.filter(({ workspaceId }) => workspaceId === this.kitchen.workspaceId),
    };
  }

  async #records(kind: 'formResponse' | 'notification'): Promise<Document[]> {
    const items = await itemsOf(keys.records(this.kitchen.workspaceId, kind));
    return items.map(({ record }) => JSON.parse(String(record)));
  }
}

export const pathOf = (slug: string): string => `/api/public/forms/${encodeURIComponent(slug)}`;

const itemsOf = (pk: string): Promise<Item[]> => Array.fromAsync(testTable().query({ pk }));
