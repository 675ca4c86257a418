import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '#lib/openapi/document.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('records', (document) => {
  document.cms = {
    models: [{ id: 'notes', name: { en: 'Notes' }, fields: [{ key: 'text', name: { en: 'Text' }, type: 'text' }] }],
    entries: [
      { modelId: 'notes', id: 'note_spring-7', values: { text: 'Lamb' } },
      { modelId: 'notes', id: 'note_autumn-7', values: { text: 'Pumpkin' } },
    ],
  };
});
const { manage } = kitchen;
const tagOf = async (address: string): Promise<string> => (await manage(`GET ${address}`)).headers['etag'] ?? '';

describe.each([
  ['menu-categories/cat_1', { name: { en: 'Mains' } }],
  ['cms-entries/notes/note_autumn-7', { values: { text: 'Pumpkin' } }],
  ['members/mem_few', { name: 'Few' }],
  ['api-keys/key_none', { name: 'none' }],
  ['workspace', { currency: 'SAR' }],
])('If-Match on %s', (address, patch) => {
  const send = (ifMatch: string) => manage(`PATCH ${address}`, patch, { headers: { 'if-match': ifMatch } });

  it('accepts the stored tag, also in the weak form that a proxy makes of it', async () => {
    const tag = await tagOf(address);
    for (const header of [tag, `W/${tag}`, `"other", W/${tag}`, '*']) expect((await send(header)).status).toBe(200);
  });

  it('refuses another tag, and says of a tag without quotes what is missing', async () => {
    const tag = await tagOf(address);
    for (const header of ['"other"', 'W/"other"', '"*"']) {
      const { status, json } = await send(header);
      expect([status, json.message]).toEqual([412, expect.stringContaining('has changed')]);
    }
    for (const header of [tag.slice(1, -1), `W/${tag.slice(1, -1)}`, 'none']) {
      const { status, json } = await send(header);
      expect([status, json.message]).toEqual([412, expect.stringContaining('in double quotes')]);
    }
  });
});

it('a change of a bulk request compares its ifMatch in the same way', async () => {
  const tag = await tagOf('menu-categories/cat_2');
  const change = (ifMatch: string) => ({
    method: 'PATCH',
    kind: 'menu-categories',
    id: 'cat_2',
    ifMatch,
    record: { name: { en: 'Empty' } },
  });
  const changes = [change(`W/${tag}`), change(tag.slice(1, -1))];
  const { json } = await manage('POST changes', { changes });
  expect(json.results).toMatchObject([
    { status: 200 },
    { status: 412, error: { message: expect.stringContaining('in double quotes') } },
  ]);
});

it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s of an entry says that its database is missing', async (method) => {
  const body = method === 'GET' || method === 'DELETE' ? undefined : { values: {} };
  expect(await manage(`${method} cms-entries/nowhere/note_1`, body)).toMatchObject({
    status: 404,
    json: { message: 'CMS database not found.' },
  });
  if (method !== 'PUT')
    expect(await manage(`${method} cms-entries/notes/none`, body)).toMatchObject({
      status: 404,
      json: { message: 'CMS entry not found.' },
    });
});

it('q finds records of each kind by their ids, whole or in part', async () => {
  await manage('PUT cms-entries/notes/note_winter-9', { values: { text: 'Kale' } });
  const ids = async (list: string): Promise<string[]> =>
    (await manage(`GET ${list}`)).json.data.map(({ id }: { id: string }) => id);
  expect(await ids('cms-entries?modelId=notes&q=note_spring-7')).toEqual(['note_spring-7']);
  expect(await ids('cms-entries?modelId=notes&q=WINTER')).toEqual(['note_winter-9']);
  expect((await ids('cms-entries?modelId=notes&q=-7')).sort()).toEqual(['note_autumn-7', 'note_spring-7']);
  expect(await ids('cms-entries?modelId=notes&q=autumn%20pumpkin')).toEqual(['note_autumn-7']);
  expect(await ids('cms-entries?modelId=notes&q=spring%20pumpkin')).toEqual([]);
  expect(await ids('menu-products?q=prod_2')).toEqual(['prod_2']);
  expect(await ids('forms?q=form_2')).toEqual(['form_2']);
  expect(await ids('form-responses?q=resp_1')).toEqual(['resp_1']);
  expect(await ids('members?q=mem_few')).toEqual(['mem_few']);
  expect(await ids('channels?q=ch_2')).toEqual(['ch_2']);
});

it.each([
  // Localized texts also depend on the languages of the workspace.
  ['menu-products/prod_1', 200],
  ['menu-categories/cat_1', 200],
  ['cms-models/notes', 200],
  ['forms/form_1', 200],
  ['customers/cus_1', 304],
  ['cms-entries/notes/note_spring-7', 200],
  ['form-responses/resp_1', 200],
])('GET of %s with its tag is %d, as the API description says', async (address, status) => {
  const headers = { 'if-none-match': await tagOf(address) };
  expect((await manage(`GET ${address}`, undefined, { headers })).status).toBe(status);
  const [kind = ''] = address.split('/');
  const { paths } = await openApiDocument();
  const path = kind === 'cms-entries' ? `/api/v1/manage/${kind}/{modelId}/{id}` : `/api/v1/manage/${kind}/{id}`;
  const described = (paths as Record<string, { get: { responses: object } }>)[path]?.get.responses ?? {};
  expect(Object.hasOwn(described, '304')).toBe(status === 304);
});
