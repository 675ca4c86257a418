import { afterAll, expect, it } from '@jest/globals';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { LocalService } from '#test/support/processes.ts';

const clients = 200;
const service = await LocalService.start();
afterAll(() => service.stop());

const json = { 'content-type': 'application/json' };
const response = { name: 'Huda', email: 'huda@example.com', subject: 'visit', message: 'A table for six, please.' };
const requests: Readonly<Record<string, (client: number) => readonly [path: string, init?: RequestInit]>> = {
  'list entries with their relations': () => [
    '/api/public/cms/chefs/list',
    { headers: { authorization: `Bearer ${demoKeys.site}` } },
  ],
  'list products': () => [`/api/public/menu/products?apiKey=${demoKeys.site}`],
  'submit a form': () => [
    `/api/public/forms/contact?apiKey=${demoKeys.site}`,
    { method: 'POST', headers: json, body: JSON.stringify({ ...response, consent: true }) },
  ],
  'update the same entry': (client) => [
    '/api/public/cms/chefs/chef_noura?fields=name',
    {
      method: 'PATCH',
      headers: { ...json, authorization: `Bearer ${demoKeys.editor}` },
      body: JSON.stringify({ values: { name: { en: `Noura ${client}` } } }),
    },
  ],
};
const everyClient = Array.from({ length: clients }, (_, client) => client);

async function send([path, init]: readonly [string, RequestInit?]): Promise<number> {
  const { status, body } = await fetch(service.url + path, init);
  await body?.cancel();
  return status;
}

it.each(Object.entries(requests))(`${clients} clients who %s at the same time all succeed`, async (_, requestOf) => {
  const statuses = await Promise.all(everyClient.map((client) => send(requestOf(client))));
  expect(statuses.filter((status) => status >= 300)).toEqual([]);
});

it('clients who do all of this at the same time succeed, too', async () => {
  const kinds = Object.values(requests);
  const statuses = await Promise.all(
    everyClient.map((client) => send((kinds[client % kinds.length] as (typeof kinds)[number])(client))),
  );
  expect(statuses.filter((status) => status >= 300)).toEqual([]);
});
