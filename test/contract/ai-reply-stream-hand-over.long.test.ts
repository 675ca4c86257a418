import { afterAll, expect, it } from '@jest/globals';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { takeOvers } from '#test/support/take-overs.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());

it('no reply is stored after the answer to a take-over, in 1,000 of them', async () => {
  const { replied, silenced, wrong } = await takeOvers(model, 1_000);
  expect(wrong).toEqual([]);
  expect(replied).toBeGreaterThan(0);
  expect(silenced).toBeGreaterThan(0);
}, 900_000);
