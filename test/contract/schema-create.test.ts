import { expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records');
const { manage } = kitchen;
const recipes = { id: 'recipes', name: { en: 'Recipes' }, fields: [] };

it('POST /manage/cms-models creates a database, with a random id if it has none', async () => {
  const { status, headers, json } = await manage('POST cms-models', recipes);
  expect([status, headers['location']]).toEqual([201, '/api/v1/manage/cms-models/recipes']);
  expect((await manage('GET cms-models/recipes')).json).toEqual(json);
  const { id, ...unnamed } = recipes;
  const made = await manage('POST cms-models', unnamed);
  expect([made.status, made.json.id]).toEqual([201, expect.stringMatching(/^model_[0-9a-f]{32}$/)]);
  const again = await manage('POST cms-models', { ...recipes, name: { en: 'Other' } });
  expect([again.status, again.json.code]).toEqual([409, 'already_exists']);
  expect((await manage(`GET cms-models/${id}`)).json.name).toEqual(recipes.name);
});

it('POST /manage/cms-models creates one database for each Idempotency-Key', async () => {
  const { id, ...unnamed } = recipes;
  const post = () => manage('POST cms-models', unnamed, { headers: { 'idempotency-key': id } });
  expect((await post()).text).toBe((await post()).text);
});

it('POST /manage/cms-models refuses a faulty database, and a caller without the permissions', async () => {
  const faulty = await manage('POST cms-models', { id: 'bad', fields: [{ key: 'id', name: {}, type: 'text' }] });
  expect(faulty.status).toBe(400);
  expect(issuesOf(faulty)).toContain('fields.0.key not_allowed');
  const key = kitchen.secretOf('cms:model:read');
  const refused = await call('POST /api/v1/manage/cms-models', { key, body: { ...recipes, id: 'denied' } });
  expect([refused.status, refused.json.message]).toEqual([403, expect.stringContaining('cms:model:manage')]);
  for (const id of ['bad', 'denied']) expect((await manage(`GET cms-models/${id}`)).status).toBe(404);
});
