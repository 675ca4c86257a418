import { expect, it } from '@jest/globals';
import { openDatabases } from '#test/support/databases.ts';
import { exported } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openDatabases();
const other = await openWorkspace('records');
const { manage } = kitchen;
const models = async () => (await exported(kitchen.workspaceId)).cms.models;

it('/manage/cms-models returns a database in the form of a document', async () => {
  const { status, json, headers } = await manage('GET cms-models/notes');
  expect(status).toBe(200);
  expect(json).toEqual((await models()).find(({ id }: { id: string }) => id === 'notes'));
  expect(headers['etag']).toMatch(/^"[\w-]{22}"$/);
  for (const path of ['cms-models/nothing', 'cms-models/notes/note_1']) {
    expect((await manage(`GET ${path}`)).json).toMatchObject({ code: 'not_found' });
  }
  expect((await other.manage('GET cms-models/notes')).status).toBe(404);
});

it('/manage/cms-models lists databases by name, and finds words', async () => {
  await manage('PUT cms-models/posts', { name: { en: 'Posts' }, fields: [] });
  const list = async (query = '') => (await manage(`GET cms-models${query}`)).json;
  const { data, next } = await list('?limit=2');
  expect([data.length, typeof next]).toEqual([2, 'string']);
  const rest = await list(`?limit=2&cursor=${encodeURIComponent(next)}`);
  const all = (await list()).data.map(({ id }: { id: string }) => id);
  expect([...data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 4));
  expect((await list('?q=post')).data).toEqual([(await manage('GET cms-models/posts')).json]);
});
