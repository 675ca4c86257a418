import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { LocalService } from '#test/support/processes.ts';

const perMinute = 30;
process.env['RATE_LIMIT'] = String(perMinute);
const service = await LocalService.start();
afterAll(() => service.stop());

async function list(key: string) {
  const answer = await fetch(`${service.url}/api/public/menu/products?limit=1&apiKey=${key}`);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

it('RATE_LIMIT applies to each key of the running service, with Retry-After', async () => {
  const beganAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 4 * perMinute }, () => list(demoKeys.site)));
  const refilled = ((performance.now() - beganAt) / 60_000) * perMinute;
  const taken = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(taken.length + refused.length).toBe(answers.length);
  expect(refused.length).toBeGreaterThan(0);
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThanOrEqual(perMinute + Math.ceil(refilled));
  for (const { headers, text } of refused) {
    expect(JSON.parse(text).code).toBe('rate_limited');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toBe(`"key";q=${perMinute};w=60`);
  }
  expect((await list(demoKeys.editor)).status).toBe(200);

  let again = await list(demoKeys.site);
  while (again.status === 429) {
    await pause(500);
    again = await list(demoKeys.site);
  }
  expect(again.status).toBe(200);
});
