import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { importDocument } from '#lib/workspace/import-document.ts';
import { call } from '#test/support/call.ts';
import { testTable } from '#test/support/world.ts';
import { secretOf, writeSampleWorkspace } from './sample-workspace.ts';

const folder = await mkdtemp(join(tmpdir(), 'sample-workspace-'));
afterAll(() => rm(folder, { recursive: true }));

it('the sample workspace of the bench has no faults, and relations over two levels', async () => {
  const file = join(folder, 'sample.ndjson');
  await writeSampleWorkspace(file, 'bench-sample', { categories: 20, tags: 20, articles: 200, products: 112 });
  expect(await importDocument(testTable(), file)).toMatchObject({ failures: [], warnings: [] });

  const key = secretOf('bench-sample');
  const products = await call(`GET /api/public/menu/products?limit=1&apiKey=${key}`);
  expect(products.json.pagination.total).toBe(101);
  expect(products.json.data[0].cmsData.articles).toHaveLength(2);

  const dishes = await call('GET /api/public/cms/dishes/list?limit=1&maxDepth=2&fields=articles(tag)', { key });
  expect(dishes.headers['x-cms-total']).toBe('112');
  expect(dishes.json[0].articles).toMatchObject([{ tag: { slug: expect.any(String) } }, { tag: expect.anything() }]);
});

it('the sample workspace of the bench makes a list of 100 products that takes an eighth of its bytes on the wire', async () => {
  const list = `GET /api/public/menu/products?limit=100&apiKey=${secretOf('bench-sample')}`;
  const bytesIn = async (coding: string) => {
    const { bytes, json } = await call(list, { headers: { 'accept-encoding': coding } });
    expect(json.data).toHaveLength(100);
    return bytes.length;
  };
  const plain = await bytesIn('identity');
  expect(plain / (await bytesIn('gzip, deflate, br'))).toBeGreaterThanOrEqual(8);
  // gzip does not make it smaller, because the texts are random words.
  expect(plain / (await bytesIn('gzip'))).toBeGreaterThanOrEqual(7.5);
});
