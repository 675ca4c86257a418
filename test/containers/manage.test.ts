import { afterAll, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import type { Answer, Call } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { openManageKitchen } from '#test/support/manage-kitchen.ts';
import type { Document } from '#test/support/world.ts';

const field = (key: string, type: string, rest: object = {}) => ({ key, name: {}, type, ...rest });
const kitchen = await openManageKitchen((document) => {
  document.members.push(
    ...['mem_a', 'mem_b'].map((id) => ({ id, name: id, email: `${id}@example.com`, permissions: Permission.options })),
  );
  document.members[0].permissions = ['messaging:conversation:engage', 'messaging:conversation:read'];
  document.cms = {
    models: [
      {
        id: 'notes',
        name: { en: 'Notes' },
        fields: [
          field('title', 'text'),
          field('next', 'relation', { relation: { to: 'cms:notes' } }),
          field('product', 'relation', { relation: { to: 'menu:product' } }),
        ],
      },
    ],
    entries: [{ id: 'note_1', modelId: 'notes', values: { title: 'One', next: 'note_2' } }],
  };
});
const containers = await Containers.start(2);
afterAll(() => containers[Symbol.asyncDispose]());

/** Retries after a 503, as clients do: a busy test machine may exceed the function's time. */
async function sent(container: number, request: string, options: Call): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await containers.at(container).call(request, options);
    if (answer.status !== 503 || tries === 10) return answer;
  }
}

const ask = (container: number, request: string, body?: unknown, name = 'all') =>
  sent(container, request, { key: kitchen.secretOf(name), ...(body !== undefined && { body }) });
const write = async (request: string, body?: unknown) => {
  const [method, path] = request.split(' ');
  const { status, json } = await ask(0, `${method} /api/v1/manage/${path}`, body);
  expect([request, status < 300, status < 300 ? '' : json]).toEqual([request, true, '']);
};
/** The second container's answer, and its ETag. */
const shown = async (path: string) => {
  const inQuery = /\/(menu|forms)\//.test(path)
    ? `${path.includes('?') ? '&' : '?'}apiKey=${kitchen.secretOf('all')}`
    : '';
  const { status, json, headers, text } = await sent(
    1,
    `GET ${path}${inQuery}`,
    inQuery ? {} : { key: kitchen.secretOf('all') },
  );
  return { status, json, text, etag: headers['etag'], total: Number(headers['x-cms-total']) };
};

/**
 * Writes in the first container. Expects the second to show the old state before, and the new one with another ETag
 * after.
 */
async function becomes(
  path: string,
  request: string,
  body: unknown,
  expected: (answer: Awaited<ReturnType<typeof shown>>) => void,
) {
  const before = await shown(path);
  await write(request, body);
  const after = await shown(path);
  if (before.etag !== undefined && after.etag !== undefined) expect(after.etag).not.toBe(before.etag);
  expected(after);
}

it('a second container shows products and categories immediately, in lists and totals', async () => {
  const products = '/api/public/menu/products';
  const names = ({ json }: { json: Document }) => json.data.map(({ slug }: Document) => slug);
  const fresh = { slug: 'fresh', name: { en: 'Fresh' }, categoryId: 'cat_2' };
  await becomes(products, 'PUT menu-products/fresh', fresh, (answer) => {
    expect(names(answer)).toContain('fresh');
    expect(answer.json.pagination.total).toBe(4);
  });
  await becomes(products, 'PATCH menu-products/fresh', { soldout: true }, ({ json }) =>
    expect(json.data.find(({ id }: Document) => id === 'fresh').soldout).toBe(true),
  );
  const categories = '/api/public/menu/categories';
  await becomes(categories, 'PATCH menu-categories/cat_2', { name: { en: 'Renamed' } }, (answer) => {
    expect(answer.text).toContain('Renamed');
    expect(answer.json.data.find(({ id }: Document) => id === 'cat_2').productsCount).toBe(1);
  });
  await becomes(products, 'DELETE menu-products/fresh', undefined, (answer) =>
    expect(names(answer)).not.toContain('fresh'),
  );
});

it('a second container shows entries and databases immediately, in totals, relations and cmsData', async () => {
  const list = '/api/public/cms/notes/list';
  await becomes(list, 'PUT cms-entries/notes/note_2', { values: { title: 'Two', product: 'prod_1' } }, (answer) => {
    expect(answer.total).toBe(2);
    expect(answer.json.find(({ id }: Document) => id === 'note_1').next).toMatchObject({ id: 'note_2', title: 'Two' });
  });
  const product = '/api/public/menu/products?ids=prod_1';
  await becomes(product, 'PATCH cms-entries/notes/note_2', { values: { title: 'Second' } }, ({ text }) =>
    expect(text).toContain('Second'),
  );
  await becomes(list, 'PATCH cms-entries/notes/note_2', { published: false }, ({ total }) => expect(total).toBe(2));
  await becomes(product, 'DELETE cms-entries/notes/note_2', undefined, ({ text }) =>
    expect(text).not.toContain('Second'),
  );
  const fields = [field('title', 'text'), field('added', 'number')];
  await becomes(list, 'PATCH cms-models/notes', { fields }, ({ json }) => {
    expect(json).toMatchObject([{ title: 'One', added: null }]);
    expect(json[0]).not.toHaveProperty('next');
  });
});

it('a second container shows forms, channels, customers and the workspace immediately', async () => {
  await becomes('/api/public/forms/contact', 'PATCH forms/form_1', { title: { en: 'Ask' } }, ({ json }) =>
    expect(json.title.en).toBe('Ask'),
  );
  await becomes('/api/public/forms/asked', 'PATCH forms/form_1', { slug: 'asked' }, ({ status }) =>
    expect(status).toBe(200),
  );
  expect((await shown('/api/public/forms/contact')).status).toBe(404);
  const open = (body: object) => ask(1, 'POST /api/v1/connect/conversations', body, 'member');
  await write('PUT channels/fresh', { type: 'website', identifier: 'fresh.example.com' });
  await write('PUT customers/fresh', { name: 'Fresh', email: 'fresh@example.com' });
  const made = await open({ channelId: 'fresh', customer: { email: 'fresh@example.com' } });
  expect([made.status, made.json.customerId]).toEqual([201, 'fresh']);
  await becomes('/api/v1/manage/agents', 'PUT agents/fresh', { name: 'Aaa' }, ({ json }) =>
    expect(json.data[0]).toMatchObject({ id: 'fresh' }),
  );
  await becomes('/api/public/menu/products?locale=en', 'PATCH workspace', { languages: ['en'] }, ({ status }) =>
    expect(status).toBe(200),
  );
  expect((await shown('/api/public/menu/products?locale=ar')).status).toBe(400);
});

it('a second container shows responses and notifications immediately, in lists and for their forms', async () => {
  const [responses, notifications] = ['form-responses', 'notifications'].map((kind) => `/api/v1/manage/${kind}`);
  const sent = await ask(0, `POST /api/public/forms/booking?apiKey=${kitchen.secretOf('all')}`, {});
  expect(sent.status).toBe(200);
  const [{ id, formId }] = (await shown(`${responses}?formId=form_2`)).json.data;
  expect(formId).toBe('form_2');
  const [notification] = (await shown(`${notifications}?unread=true`)).json.data;
  expect(notification.formResponseId).toBe(id);
  const readAt = '2026-02-01T09:00:00.000Z';
  await becomes(`${notifications}?unread=true`, `PATCH notifications/${notification.id}`, { readAt }, ({ json }) =>
    expect(json.data).toEqual([]),
  );
  const refused = await ask(1, 'DELETE /api/v1/manage/forms/form_2');
  expect([refused.status, refused.json.errors]).toMatchObject([409, [{ path: `form-responses/${id}` }]]);
  await becomes(`${responses}?formId=form_2`, `DELETE form-responses/${id}`, undefined, ({ json }) =>
    expect(json.data).toEqual([]),
  );
  expect((await ask(1, 'DELETE /api/v1/manage/forms/form_2')).status).toBe(204);
  expect((await shown('/api/public/forms/booking')).status).toBe(404);
});

it('if two containers remove two managers concurrently, one manager stays', async () => {
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(
      ['mem_a', 'mem_b'].map((id, container) =>
        round % 2 === 0
          ? ask(container, `PATCH /api/v1/manage/members/${id}`, { active: false })
          : ask(container, `DELETE /api/v1/manage/members/${id}`),
      ),
    );
    const codes = answers.map(({ status, json }) => (status === 409 ? json.code : status)).sort();
    expect(codes).toEqual([round % 2 === 0 ? 200 : 204, 'last_manager']);
    const body = { name: 'Back', permissions: Permission.options };
    for (const id of ['mem_a', 'mem_b']) await write(`PUT members/${id}`, { ...body, email: `${id}@example.com` });
  }
});
