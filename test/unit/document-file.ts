import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Finding } from '#lib/workspace/document-item.ts';
import { nothingStored, type StoredLookup } from '#lib/workspace/document-lookup.ts';
import { readDocument } from '#lib/workspace/read-document.ts';
import { type Validation, validateDocument } from '#lib/workspace/validate-document.ts';

/** Writes a file with this name into a new folder. */
export async function fileOf(content: string | Uint8Array, name = 'workspace.json'): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'workspace-document-')), name);
  await writeFile(file, content);
  return file;
}

// biome-ignore lint/suspicious/noExplicitAny: tests make documents that are wrong on purpose.
export type Document = any;

/** The smallest document in which a record of every kind refers to all others. */
export const smallDocument = (): Document => ({
  version: 1,
  workspace: { id: 'ws_1', name: 'Saffron', languages: ['en', 'ar'], defaultLanguage: 'en', currency: 'SAR' },
  members: [{ id: 'mem_1', name: 'Lina' }],
  apiKeys: [{ id: 'key_1', name: 'Site', secret: 'saffron-site-key-0000000000', memberId: 'mem_1' }],
  cms: {
    models: [
      {
        id: 'chefs',
        name: { en: 'Chefs' },
        fields: [
          { key: 'name', name: { en: 'Name' }, type: 'text', localized: true, required: true },
          { key: 'phone', name: { en: 'Phone' }, type: 'phone' },
          { key: 'notes', name: { en: 'Notes' }, type: 'json' },
          { key: 'mentor', name: { en: 'Mentor' }, type: 'relation', relation: { to: 'cms:chefs' } },
          {
            key: 'signature',
            name: { en: 'Signature' },
            type: 'relation',
            relation: { to: 'menu:product', many: true },
          },
        ],
      },
    ],
    entries: [{ id: 'chef_1', modelId: 'chefs', values: { name: { en: 'Noor' }, signature: ['prod_1'] } }],
  },
  menu: {
    categories: [{ id: 'cat_1', slug: 'mains', name: { en: 'Mains' } }],
    products: [{ id: 'prod_1', slug: 'kabsa', name: { en: 'Kabsa' }, categoryId: 'cat_1' }],
  },
  forms: [
    {
      id: 'form_1',
      slug: 'contact',
      title: { en: 'Contact' },
      fields: [{ id: 'ff_1', ref: 'email', title: { en: 'E-mail' }, type: 'EMAIL' }],
    },
  ],
  messaging: {
    channels: [{ id: 'ch_1', type: 'website', identifier: 'saffron.example' }],
    customers: [{ id: 'cus_1' }],
    agents: [{ id: 'agent_1', name: 'Assistant' }],
    conversations: [{ id: 'conv_1', kind: 'order', channelId: 'ch_1', customerId: 'cus_1' }],
    messages: [
      {
        id: 'msg_1',
        conversationId: 'conv_1',
        senderType: 'customer',
        senderId: 'cus_1',
        text: 'Hi',
        attachments: ['att_1'],
      },
    ],
  },
  attachments: [
    {
      id: 'att_1',
      name: 'a.png',
      s3Key: 'workspaces/ws_1/drive/messaging/2026-01/att_1/a.png',
      type: 'image/png',
      size: 1,
    },
  ],
  formResponses: [{ id: 'res_1', formId: 'form_1', answers: { email: 'a@b.co' } }],
  notifications: [{ id: 'not_1', type: 'form_response', formId: 'form_1', formResponseId: 'res_1' }],
});

interface Stored {
  readonly stored?: Partial<StoredLookup>;
  readonly prune?: boolean;
}

/** Validates a document that is passed as an object, or as the text of a `.json` file. */
export async function validated(document: Document, { stored, prune }: Stored = {}): Promise<Validation> {
  const file = await fileOf(typeof document === 'string' ? document : JSON.stringify(document));
  return validateDocument(() => readDocument(file), { stored: () => ({ ...nothingStored, ...stored }), prune });
}

/** Findings in a short form: `kind id path code`. */
export const shortForm = (findings: readonly Finding[]): string[] =>
  findings.map(({ kind, id, path, code }) => [kind, id, path, code].filter(Boolean).join(' '));

type Case = readonly [title: string, change: (document: Document) => void, ...found: string[]];

/** Changes the small document in one test per case, and compares the findings. */
export const eachChange = (cases: readonly Case[], list: 'failures' | 'warnings' = 'failures') =>
  it.each(cases.map(([title, change, ...found]) => ({ title, change, found })))('$title', async ({ change, found }) => {
    const document = smallDocument();
    change(document);
    expect(shortForm((await validated(document))[list])).toEqual(found);
  });

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
