import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '#lib/client/api-error.ts';
import { WorkspaceClient } from '#lib/client/client.ts';
import type { Entry, ReplyEvent } from '#lib/client/types.ts';
import { contactAnswers as answers, demoKeys } from '#test/support/demo-workspace.ts';
import { openTarget, type Target } from '#test/support/target.ts';

interface TestTypes {
  readonly chefs: Entry & { readonly name: { readonly en?: string; readonly ar?: string } };
  readonly nothing: Entry;
}

let service: Target;
const clientOf = (apiKey: string) => new WorkspaceClient<TestTypes>({ baseUrl: service.url, apiKey });

beforeAll(async () => {
  service = await openTarget();
});

const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`No ApiError, but ${error}.`);
  return error;
};

describe('CMS entries', () => {
  it('are listed page by page, with the position of each page', async () => {
    const page = await clientOf(demoKeys.editor).listEntries('chefs', {
      limit: 3,
      offset: 1,
      fields: 'name',
      maxDepth: 0,
    });
    expect(page).toMatchObject({ total: 8, limit: 3, offset: 1, hasMore: true, maxDepth: 0 });
    expect(page.entries).toHaveLength(3);
    expect(Object.keys(page.entries[0] ?? {})).toEqual(['id', 'name']);
  });

  it('are iterated to the end without duplicates', async () => {
    const ids = [];
    for await (const { id } of clientOf(demoKeys.editor).allEntries('chefs', { limit: 3, fields: 'id' })) ids.push(id);
    expect([ids.length, new Set(ids).size]).toEqual([8, 8]);
  });

  it('are filtered and sorted', async () => {
    const query = { filter: { mentor: { exists: true }, id: { in: ['chef_noura', 'chef_sara'] } }, sort: '-name' };
    const { entries, total, nextCursor } = await clientOf(demoKeys.editor).listEntries('chefs', { ...query, limit: 1 });
    expect([entries.length, total > 0, nextCursor === undefined]).toEqual([1, true, total === 1]);
  });

  it('are read and updated in the version that was read', async () => {
    const client = clientOf(demoKeys.editor);
    // No other file writes this entry. All files use the service concurrently.
    const read = await client.getEntry('chefs', 'chef_yousef', { fields: 'name' });
    const values = { name: { en: 'Yousef' } };
    const updated = await client.updateEntry('chefs', 'chef_yousef', values, { ifMatch: read.etag, fields: 'name' });
    expect(updated.entry.name).toEqual({ ...read.entry.name, en: 'Yousef' });
    expect(updated.etag).not.toBe(read.etag);
    const late = await failureOf(client.updateEntry('chefs', 'chef_yousef', values, { ifMatch: read.etag }));
    expect([late.status, late.code]).toEqual([412, 'precondition_failed']);
  });
});

describe('texts in one language', () => {
  it('are strings, or null, in answers and in their types', async () => {
    const client = clientOf(demoKeys.site);
    const { data } = await client.listProducts({ locale: 'ar', fallback: ['en'], limit: 2 });
    const names: (string | null | undefined)[] = data.map(({ category }) => category?.name);
    expect(names).toEqual(data.map(() => expect.any(String)));
    const categories = await client.listCategories({ locale: 'en', includeProducts: true, limit: 1 });
    const product: string | null | undefined = categories.data[0]?.products?.[0]?.name;
    expect(product).toEqual(expect.any(String));
    for await (const { name } of client.allProducts({ locale: 'en' })) expect(name?.length).toBeGreaterThan(0);
    const form = await client.getForm('contact', { locale: 'ar' });
    const title: string | null = form.title;
    expect([title, ...form.fields.map((field) => field.title)]).toEqual([
      expect.any(String),
      ...form.fields.map(() => expect.any(String)),
    ]);
    const { entry } = await client.getEntry('chefs', 'chef_noura', { locale: 'en', fields: 'name' });
    expect(entry.name).toEqual(expect.any(String));
  });

  it('are objects without a locale, and with any', async () => {
    const client = clientOf(demoKeys.site);
    const all: Record<string, string> | undefined = (await client.listProducts({ limit: 1 })).data[0]?.name;
    const any: Record<string, string> | undefined = (await client.listProducts({ limit: 1, locale: '*' })).data[0]
      ?.name;
    expect(any).toEqual(all);
    expect(Object.keys(all ?? {})).toEqual(['en', 'ar']);
  });
});

describe('the menu', () => {
  it('is listed by parameters of their own types', async () => {
    const client = clientOf(demoKeys.site);
    const { data } = await client.listProducts({
      search: 'lamb',
      maxPrice: 100,
      includeCmsData: false,
      sortBy: 'name',
    });
    expect(data.length).toBeGreaterThan(0);
    const [first, second] = data;
    const found = await client.listProducts({ ids: [first?.id ?? '', second?.id ?? ''] });
    expect(found.pagination.total).toBe(2);
    expect((await client.listCategories({ includeProducts: true, limit: 1 })).data[0]?.products).toBeDefined();
  });

  it('is iterated to the end without duplicates', async () => {
    const client = clientOf(demoKeys.site);
    const { total } = (await client.listProducts({ limit: 1 })).pagination;
    const ids = new Set<string>();
    for await (const { id } of client.allProducts({ limit: 7, includeCmsData: false })) ids.add(id);
    expect(ids.size).toBe(total);
    const categories = await Array.fromAsync(client.allCategories({ limit: 3 }));
    expect(categories).toHaveLength(8);
  });
});

describe('forms', () => {
  it('are read and answered', async () => {
    const client = clientOf(demoKeys.site);
    expect((await client.getForm('contact')).fields[0]?.ref).toBe('name');
    const idempotencyKey = 'client-1';
    const id = await client.submitForm('contact', answers, { idempotencyKey });
    expect(id).toMatch(/./);
    expect(await client.submitForm('contact', answers, { idempotencyKey })).toBe(id);
    expect(await client.submitForm('contact', answers)).not.toBe(id);
  });
});

describe('files', () => {
  it.each([10, 5_000_000])(
    'files of %d bytes are uploaded in one request or directly, and downloaded',
    async (size) => {
      const client = clientOf(demoKeys.desk);
      const data = randomBytes(size);
      const [file] = await client.uploadAttachments([{ name: 'data.bin', type: 'application/zip', data }]);
      expect(file).toMatchObject({ name: 'data.bin', type: 'application/zip' });
      expect(file).not.toHaveProperty('upload');
      const read = await (await client.downloadAsset(file?.s3Key ?? '')).arrayBuffer();
      const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
      expect(hash(new Uint8Array(read))).toBe(hash(data));
      const part = await client.downloadAsset(file?.s3Key ?? '', { range: 'bytes=0-3' });
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4]);
    },
  );

  it.each([10, 5_000_000])('files of %d bytes with the same idempotency key are stored one time', async (size) => {
    const client = clientOf(demoKeys.desk);
    const files = [{ name: 'data.bin', type: 'application/zip', data: randomBytes(size) }];
    const idempotencyKey = `upload-${size}`;
    const first = await client.uploadAttachments(files, { idempotencyKey });
    expect(await client.uploadAttachments(files, { idempotencyKey })).toEqual(first);
    expect(await client.uploadAttachments(files)).not.toEqual(first);
  });
});

describe('a reply', () => {
  const question = { agentId: 'agent_saffron', conversationId: 'conv_huda', lastMessageId: 'msg_01' };

  it('comes event by event, the last of which ends it', async () => {
    const events: ReplyEvent[] = await Array.fromAsync(clientOf(demoKeys.desk).streamReply(question));
    expect(events.at(-1)).toMatchObject({ type: 'done', messageId: expect.any(String) });
    const deltas = events.flatMap((event) => (event.type === 'delta' ? [event.delta] : []));
    expect(events.at(-1)).toMatchObject({ text: deltas.join('') });
  });

  it('can be left early', async () => {
    for await (const event of clientOf(demoKeys.desk).streamReply(question)) {
      expect(event.type).toBe('delta');
      break;
    }
  });
});

describe('an ApiError', () => {
  it('has the message, the errors with their paths, and the request id', async () => {
    const error = await failureOf(clientOf(demoKeys.site).submitForm('contact', { ...answers, email: 'x' }));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', requestId: expect.any(String) });
    expect(error.errors).toEqual([{ path: 'email', code: 'format', message: expect.any(String) }]);
    expect(await failureOf(clientOf(demoKeys.site).getForm('nothing'))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    expect(await failureOf(clientOf('wrong-key-00000000000').listEntries('nothing'))).toMatchObject({ status: 401 });
    expect(String(error.stack)).not.toContain(demoKeys.site);
  });
});
