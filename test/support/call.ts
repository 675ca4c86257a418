import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { findRoute, type Route } from '#lib/http/router.ts';
import { httpApiEvent } from '#lib/local/event.ts';

export interface Call {
  /** An API key, sent as a bearer token. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of an answer.
  readonly json: any;
}

const routes: readonly Route[] = JSON.parse(process.env['ROUTES'] ?? '[]');

/** One request through the real router, event and handler, against the real table. */
export async function call(request: string, { key, headers = {}, body }: Call = {}): Promise<Answer> {
  const [method = '', url = ''] = request.split(/ (.*)/, 2);
  const match = findRoute(routes, method, decodeURIComponent(url.split('?', 1)[0] ?? ''));
  const name = match.kind === 'found' ? match.route.name : 'route-unknown';
  const { handler } = await import(`../../functions/${name}/handler.ts`);
  const event = httpApiEvent({
    method,
    url,
    headers: Object.entries({
      host: '127.0.0.1',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }),
    body: bytesOf(body),
    sourceIp: '127.0.0.1',
    requestId: randomUUID(),
    routeKey: '$default',
  });
  return answerOf((await handler(event, newContext())) as APIGatewayProxyStructuredResultV2);
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function answerOf({ statusCode = 200, headers = {}, body = '' }: APIGatewayProxyStructuredResultV2): Answer {
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: body,
    json: body === '' ? undefined : JSON.parse(body),
  };
}

const newContext = () => ({ awsRequestId: randomUUID(), getRemainingTimeInMillis: () => 10_000 }) as unknown as Context;
