import { expect } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { handler } from '#functions/cms-entries-list/handler.ts';
import type { ApiEvent } from '#lib/http/request-state.ts';
import { httpApiEvent } from '#lib/local/event.ts';
import type { Meter } from '#lib/table/dynamodb/client.ts';

/** The calls and units of one request of a CMS list. @param path below `/api/public/cms/`, with its query */
export async function listCosts(path: string, key: string): Promise<Meter> {
  const event = httpApiEvent({
    method: 'GET',
    url: `/api/public/cms/${path}`,
    headers: [['x-api-key', key]],
    body: Buffer.alloc(0),
    sourceIp: '127.0.0.1',
    requestId: 'one',
    routeKey: 'GET /api/public/cms/{modelId}/list',
  }) as ApiEvent;
  const context = { awsRequestId: 'one', getRemainingTimeInMillis: () => 600_000 } as Context;
  expect(await handler(event, context)).toMatchObject({ statusCode: 200 });
  return event.state.meter as Meter;
}
