import { expect, it } from '@jest/globals';
import { type Container, Containers } from '#test/support/containers.ts';
import { chef, openWorld, productsOf } from '#test/support/history/world.ts';
import { documentOf } from '#test/support/menu.ts';
import { withKey } from '#test/support/views.ts';
import { type Document, load } from '#test/support/world.ts';

it('an entry that an import changes after an update stays in cmsData, in warm and cold containers', async () => {
  await using containers = await Containers.start(2);
  const kitchen = await openWorld();
  const key = kitchen.keys.editor;
  const signature = productsOf(2);
  const showing = async (container: Container): Promise<string[]> => {
    const { json } = await container.call(withKey('GET /api/public/menu/products?limit=100', key), { key });
    const hasChef = ({ cmsData }: Document) => cmsData.chefs?.some(({ id }: Document) => id === 'chef_3');
    return json.data.filter(hasChef).map(({ id }: Document) => id);
  };
  for (const container of containers.all) expect(await showing(container)).toEqual(signature);
  const body = { values: { name: { en: 'updated' } } };
  expect((await containers.at(0).call('PATCH /api/public/cms/chefs/chef_3', { key, body })).status).toBe(200);
  await load(documentOf(kitchen, { cms: { models: [], entries: [chef('chef_3', 'imported', signature)] } }));
  containers.open();
  for (const container of containers.all) expect(await showing(container)).toEqual(signature);
});
