import { afterAll, expect, it } from '@jest/globals';
import { httpApiEvent } from '#lib/local/event.ts';
import { answerOfResult, call, functionOf, rawRequest } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const { keys } = await openWorkspace('kitchen');
const proxy = await FaultProxy.start();
process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.url;
afterAll(() => proxy.stop());

it('a function answers 503 when its time is almost over while the table hangs', async () => {
  const request = 'GET /api/public/cms/chefs/list';
  const { handler } = await import(`../../functions/${functionOf(request)}/handler.ts`);
  const left = [10_000];
  const context = { awsRequestId: 'late', getRemainingTimeInMillis: () => left.shift() ?? 50 };
  // The first request of a key reads its data after the key.
  proxy.plan('any', { kind: 'hang' }, undefined, 'W#');
  const answer = answerOfResult(await handler(httpApiEvent(rawRequest(request, { key: keys.reader })), context));
  expect([answer.status, answer.json.code, answer.headers['x-request-id']]).toEqual([503, 'unavailable', 'late']);
  expect(answer.headers['retry-after']).toMatch(/^[1-9]$/);
  proxy.heal();
  expect((await call(request, { key: keys.reader })).status).toBe(200);
});
