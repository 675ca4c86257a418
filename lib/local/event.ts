import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { splitTarget } from '../http/request-target.ts';
import { decodePath } from '../http/router.ts';

/** A request as it arrived, without decoding. */
export interface RawRequest {
  readonly method: string;
  /** Path and query of the request line, as sent. */
  readonly url: string;
  /** Repeated names in the order sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly requestId: string;
  /** `GET /things/{id}`, or `$default` without a route. */
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/**
 * Builds the event of an HTTP API with payload format 2.0. The path is decoded; an undecodable path becomes a single
 * segment without a route. The event has the query string as sent, and its decoded parameters with repeats joined by
 * commas.
 */
export function httpApiEvent(request: RawRequest): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.url);
  const rawPath = decodePath(path) ?? `/${encodeURIComponent(path)}`;
  const { headers, cookies } = foldHeaders(request);
  const { pathParameters } = request;
  return {
    version: '2.0',
    routeKey: request.routeKey,
    // As the gateway does: it ends this path, and not the other one, at a question mark that was escaped.
    rawPath: rawPath.split('?', 1)[0] ?? '',
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(query !== '' && { queryStringParameters: foldQuery(query) }),
    requestContext: requestContext(request, rawPath, headers),
    ...(pathParameters && Object.keys(pathParameters).length > 0 && { pathParameters: { ...pathParameters } }),
    ...foldBody(request.body, headers['content-type'] ?? ''),
  };
}

/** Builds the event of a function URL. It has the path as sent, and no route. */
export function functionUrlEvent(request: Omit<RawRequest, 'routeKey' | 'pathParameters'>): APIGatewayProxyEventV2 {
  const event = httpApiEvent({ ...request, routeKey: '$default' });
  const { path } = splitTarget(request.url);
  const { requestContext } = event;
  return {
    ...event,
    rawPath: path,
    requestContext: { ...requestContext, http: { ...requestContext.http, path } },
  };
}

function requestContext(
  { method, sourceIp, requestId, routeKey }: RawRequest,
  path: string,
  headers: Record<string, string>,
): APIGatewayProxyEventV2['requestContext'] {
  const now = new Date();
  const domainName = headers['host'] ?? 'localhost';
  return {
    accountId: 'anonymous',
    apiId: 'local',
    domainName,
    domainPrefix: domainName.split(/[.:]/, 1)[0] ?? '',
    http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? '' },
    requestId,
    routeKey,
    stage: '$default',
    time: commonLogTime(now),
    timeEpoch: now.getTime(),
  };
}

/** Lower-cases names, joins repeats by commas, separates cookies and drops the headers of the connection. */
function foldHeaders({ headers, body, sourceIp }: RawRequest) {
  const folded: Record<string, string> = Object.create(null);
  const cookies: string[] = [];
  for (const [sentName, value] of headers) {
    const name = sentName.toLowerCase();
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter(Boolean));
    else if (!connectionHeaders.has(name)) folded[name] = name in folded ? `${folded[name]},${value}` : value;
  }
  // The gateway adds the length of a chunked body.
  if (body.length > 0) folded['content-length'] ??= String(body.length);
  const forwardedFor = folded['x-forwarded-for'];
  folded['x-forwarded-for'] = forwardedFor ? `${forwardedFor}, ${sourceIp}` : sourceIp;
  folded['x-forwarded-proto'] = 'http';
  return { headers: { ...folded }, cookies };
}

const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

function foldQuery(query: string): Record<string, string> {
  const folded = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = folded.get(name);
    folded.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(folded);
}

const textType = /^(?:text\/.*|application\/(?:json|javascript|xml|.*\+json|.*\+xml))$/;

/** Keeps text, encodes other bodies in base64, and omits an empty body. */
function foldBody(body: Buffer, contentType: string): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isText = (mediaType === '' || textType.test(mediaType)) && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** `20/Nov/2026:11:20:05 +0000` */
const commonLogTime = (time: Date): string =>
  time.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
