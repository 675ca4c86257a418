import { beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '#test/support/target.ts';

// A website shows the chefs and the menu, and an editor corrects them.

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});

const get = (path: string, key?: string) =>
  fetch(target.url + path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });

// biome-ignore lint/suspicious/noExplicitAny: each story knows the shape of its answer.
const jsonOf = (answer: Response): Promise<any> => answer.json();

describe('a website', () => {
  it('lists the chefs page by page without duplicates', async () => {
    const seen: string[] = [];
    for (let offset = 0; ; offset += 3) {
      const page = await get(`/api/public/cms/chefs/list?limit=3&offset=${offset}&fields=name`, target.keys.site);
      expect(page.status).toBe(200);
      const rows = await jsonOf(page);
      seen.push(...rows.map(({ id }: { id: string }) => id));
      if (page.headers.get('x-cms-has-more') === '0') {
        expect(seen).toHaveLength(Number(page.headers.get('x-cms-total')));
        break;
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('reads the menu with the key in the address, filtered and in order', async () => {
    const query = `maxPrice=80&sortBy=name&sortOrder=asc&limit=5&includeCmsData=false&apiKey=${target.keys.site}`;
    const answer = await get(`/api/public/menu/products?${query}`);
    expect(answer.status).toBe(200);
    const { data, pagination } = await jsonOf(answer);
    expect(pagination).toMatchObject({ page: 1, limit: 5 });
    expect(data).toHaveLength(Math.min(5, pagination.total));
    for (const { published, priceOptions } of data) {
      expect(published).toBe(true);
      expect(priceOptions.some(({ price }: { price: number }) => price <= 80)).toBe(true);
    }
    const categories = await get(`/api/public/menu/categories?includeProducts=true&apiKey=${target.keys.site}`);
    expect((await jsonOf(categories)).data[0].products.length).toBeGreaterThan(0);
  });

  it('gets the same error messages everywhere', async () => {
    const missing = await get('/api/public/cms/chefs/list');
    expect(missing.status).toBe(401);
    expect(await jsonOf(missing)).toMatchObject({ code: 'missing_api_key' });
    const unknown = await get('/api/public/cms/chefs/list?fields=nope', target.keys.site);
    expect([unknown.status, await jsonOf(unknown)]).toMatchObject([400, { code: 'unknown_field' }]);
    const nowhere = await get('/api/public/nowhere', target.keys.site);
    expect([nowhere.status, await jsonOf(nowhere)]).toMatchObject([404, { code: 'not_found' }]);
    const wrong = await fetch(`${target.url}/api/public/menu/products`, { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const answer of [missing, unknown, nowhere, wrong]) expect(answer.headers.get('x-request-id')).toBeTruthy();
  });
});

describe('an editor', () => {
  const path = '/api/public/cms/chefs/chef_noura?fields=name';

  const patch = (values: object, more: Record<string, string> = {}) =>
    fetch(target.url + path, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${target.keys.editor}`, 'content-type': 'application/json', ...more },
      body: JSON.stringify({ values }),
    });

  it('corrects both languages at the same time, and the next reader sees both', async () => {
    const { name: before } = await jsonOf(await get(path, target.keys.editor));
    const mark = Date.now().toString(36);
    const answers = await Promise.all([
      patch({ name: { en: `Noura ${mark}` } }),
      patch({ name: { ar: `نورة ${mark}` } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const read = await get(path, target.keys.site);
    expect((await jsonOf(read)).name).toMatchObject({ en: `Noura ${mark}`, ar: `نورة ${mark}` });
    const stale = await patch({ name: { en: 'Too late' } }, { 'if-match': '"of-another-version"' });
    expect(stale.status).toBe(412);
    expect((await patch({ name: before })).status).toBe(200);
  });
});
