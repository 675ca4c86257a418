import { afterAll, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { call } from '#test/support/call.ts';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { someOf } from '#test/support/long-run.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const room = await openWorkspace('records', (document) => {
  const name = { en: 'Notes' };
  document.members[0].permissions = Permission.options;
  document.cms = {
    models: [{ id: 'notes', name, fields: [{ key: 'text', name, type: 'text' }] }],
    entries: [{ id: 'note', modelId: 'notes', values: { text: 'first' } }],
  };
});
const proxy = await FaultProxy.start();
const containers = await Containers.start(1, proxy.url);
afterAll(async () => {
  await containers[Symbol.asyncDispose]();
  await proxy.stop();
});

const { member: key } = room.keys;
const manage = '/api/v1/manage';
const inMenu = { slug: 'new', name: { en: 'New' }, categoryId: 'cat_1' };
const form = { slug: 'again', title: { en: 'Again' }, fields: [] };

/** A write, what another process writes before its retry, and what is stored at the end. */
const writes: readonly (readonly [
  mine: [string, object?],
  status: number,
  other: [string, object?],
  stored: object,
])[] = [
  [
    ['PATCH /api/public/cms/notes/note', { values: { text: 'mine' } }],
    200,
    ['PATCH /api/public/cms/notes/note', { values: { text: 'other' } }],
    { text: 'other' },
  ],
  [
    [`PATCH ${manage}/menu-products/prod_1`, { preparationTime: 1 }],
    200,
    [`PATCH ${manage}/menu-products/prod_1`, { preparationTime: 2 }],
    { preparationTime: 2 },
  ],
  [
    [`POST ${manage}/menu-products`, { id: 'prod_new', ...inMenu }],
    201,
    [`PATCH ${manage}/menu-products/prod_new`, { preparationTime: 2 }],
    { preparationTime: 2 },
  ],
  [[`DELETE ${manage}/forms/form_2`], 204, [`PUT ${manage}/forms/form_2`, form], form],
  [
    [`PATCH ${manage}/cms-entries/notes/note`, { values: { text: 'mine' } }],
    200,
    [`PATCH ${manage}/cms-entries/notes/note`, { values: { text: 'theirs' } }],
    { values: { text: 'theirs' } },
  ],
  [
    [`PATCH ${manage}/forms/form_1`, { title: { en: 'Mine' } }],
    200,
    [`PATCH ${manage}/forms/form_1`, { title: { en: 'Other' } }],
    { title: { en: 'Other' } },
  ],
  [
    [`PATCH ${manage}/cms-models/notes`, { name: { en: 'Mine' } }],
    200,
    [`PATCH ${manage}/cms-models/notes`, { name: { en: 'Other' } }],
    { name: { en: 'Other' } },
  ],
  [
    [`PATCH ${manage}/workspace`, { name: 'Mine' }],
    200,
    [`PATCH ${manage}/workspace`, { name: 'Other' }],
    { name: 'Other' },
  ],
  [
    ['PATCH /api/v1/connect/conversations/conv_1', { status: 'pending' }],
    200,
    ['PATCH /api/v1/connect/conversations/conv_1', { status: 'snoozed' }],
    { status: 'snoozed' },
  ],
];

// One client repeats the writes of all routes.
it.each(someOf(writes, 4))(
  '%j is carried out one time if its response is lost and another write comes before the retry',
  async (mine, status, other, stored) => {
    const send = ([request, body]: [string, object?]) => [request, { key, ...(body && { body }) }] as const;
    const meanwhile = async () => {
      expect((await call(...send(other))).status).toBeLessThan(300);
    };
    proxy.plan('TransactWriteItems', { kind: 'reset after', meanwhile }, 1);
    // The retry meets the lock of the other write.
    const more = { CancellationReasons: [{ Code: 'TransactionConflict' }] };
    proxy.plan('TransactWriteItems', { kind: 'error', type: 'TransactionCanceledException', status: 400, more }, 1);
    const answer = await containers.at(0).call(...send(mine));
    expect([answer.status, answer.text]).toEqual([status, expect.anything()]);
    const { json } = await call(`GET ${other[0].split(' ')[1]}`, { key });
    expect(json).toMatchObject(stored);
  },
);
