import { join } from 'node:path';
import type { HttpCall } from './http-load.ts';
import type { LoadTarget } from './load-target.ts';
import { startLocalService } from './local-service.ts';
import { processesNamed } from './process-usage.ts';
import { comparedSize } from './sample-data.ts';
import { dishId, secretOf, writeSampleWorkspace } from './sample-workspace.ts';
import type { Workbench } from './workbench.ts';

const workspaceId = 'sample';
const secret = secretOf(workspaceId);

const products = (query: string): HttpCall => ({
  method: 'GET',
  path: `/api/public/menu/products?includeCmsData=false&${query}&apiKey=${secret}`,
});

/** The values of a product, its category, and its articles with their tags. The other services get the same request. */
const twoLevels = [
  'id',
  'published',
  'createdAt',
  'updatedAt',
  'slug',
  'barcode',
  'name',
  'intro',
  'description',
  'priceOptions',
  'soldout',
  'preparationTime',
  'nutritionFacts',
  'images',
  'category',
  'articles(slug,title,body,tag)',
].join();

const headers = { 'x-api-key': secret };

/** Our service with the sample data, on the embedded engine. */
export async function startOwnTarget(bench: Workbench): Promise<LoadTarget> {
  const file = join(bench.folder, 'sample.ndjson');
  await writeSampleWorkspace(file, workspaceId, comparedSize);
  const { child, port } = await startLocalService(bench, { workspaces: [file] });
  return {
    name: 'ours',
    port,
    calls: {
      list20: products('limit=20'),
      list100: products('limit=100'),
      filter20: products('limit=20&categorySlug=cat-0003&search=saffron&sortBy=name&sortOrder=asc'),
      depth2: {
        method: 'GET',
        path: `/api/public/cms/dishes/list?limit=20&maxDepth=2&fields=${twoLevels}`,
        headers,
      },
      update: {
        method: 'PATCH',
        path: `/api/public/cms/dishes/${dishId(4)}?fields=id`,
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"values":{"soldout":true}}',
      },
    },
    pids: () => [child.pid],
    enginePids: () => processesNamed(child.pid, 'java'),
  };
}
