import type { Endpoint } from '#lib/http/declaration.ts';
import { callersOf } from '#lib/http/endpoint.ts';
import { commonHeaders } from './common-texts.ts';
import type { Description, HeaderDescription, SuccessDescription } from './description.ts';
import { type Json, schemaRef, text } from './json-schema.ts';
import { headerOf } from './parameters.ts';
import { byStatus, impliedRefusals, type RefusalCode, reasonOf, takesHeader } from './refusals.ts';

type Examples = Readonly<Record<string, Json>>;

/** All responses of an operation, by status. */
export function responsesOf(
  endpoint: Endpoint,
  description: Description,
  schema: Json,
  examples: Examples,
): Record<string, Json> {
  const { success, more = {}, refusals = [] } = description;
  const json = { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } };
  const responses: [string, Json][] = [
    [
      String(endpoint.status ?? 200),
      successful(
        { ...success, headers: { ...tagHeaders(endpoint, description), ...success.headers, ...ignored(endpoint) } },
        hasNoBody(endpoint) ? undefined : success.content ? contentOf(success.content, examples) : json,
      ),
    ],
    ...Object.entries(more).map(([status, other]): [string, Json] => [
      status,
      successful(
        Number(status) < 300 ? { ...other, headers: { ...other.headers, ...ignored(endpoint) } } : other,
        other.content ? contentOf(other.content, {}) : status === '200' || status === '201' ? json : undefined,
      ),
    ]),
    ...(mayBeUnchanged(endpoint, description) ? [['304', notModified] as [string, Json]] : []),
    ...[...byStatus([...impliedRefusals(endpoint), ...refusals])].map(([status, codes]): [string, Json] => [
      String(status),
      refusal(status, codes, endpoint),
    ]),
  ];
  return Object.fromEntries(responses);
}

export const hasNoBody = ({ status }: Endpoint): boolean => status === 204 || status === 302;

/** The headers of all responses, which refer to them. */
export const componentHeaders: Readonly<Record<string, Json>> = {
  RequestId: headerOf({
    description: 'The id of the request in the log of the service. Include it when you ask for help.',
  }),
};

const ignored = (endpoint: Endpoint): Readonly<Record<string, HeaderDescription>> =>
  callersOf(endpoint).length === 0
    ? {}
    : {
        'x-ignored-parameters': {
          description:
            'The names of ignored, unknown query parameters: percent-encoded, separated by `, `, at most 20. Absent if there are none.',
          isOptional: true,
        },
      };

/** Whether responses have an ETag, made by the chain or by the handler. */
const hasTag = (endpoint: Endpoint, { success }: Description): boolean =>
  isReadByCaller(endpoint) && endpoint.responseMode !== 'streamed' && success.headers?.['etag'] === undefined;

const isReadByCaller = (endpoint: Endpoint): boolean =>
  endpoint.methods.includes('GET') && callersOf(endpoint).length > 0;

/** True if the endpoint may return 304 although its description does not list it. */
const mayBeUnchanged = (endpoint: Endpoint, description: Description): boolean =>
  description.more?.[304] === undefined &&
  !endpoint.isNeverUnchanged &&
  (hasTag(endpoint, description) || (isReadByCaller(endpoint) && takesHeader(endpoint, 'If-None-Match')));

const etag = { description: 'Identifies this response, for `If-None-Match`.' };
const cacheControl = {
  description: 'Only this caller may cache the response, and must revalidate it before each use.',
};

const tagHeaders = (endpoint: Endpoint, description: Description): Readonly<Record<string, HeaderDescription>> =>
  hasTag(endpoint, description) ? { etag, 'cache-control': cacheControl } : {};

const notModified: Json = {
  description: 'The response still has the `ETag` in `If-None-Match`; there is no body.',
  headers: headersOf({ etag }),
};

const successful = ({ description, headers }: SuccessDescription, content: Json | undefined): Json => ({
  description,
  headers: headersOf(headers),
  ...(content && { content }),
});

const contentOf = (content: Readonly<Record<string, Json>>, examples: Examples): Json =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      { schema, ...(type !== '*/*' && Object.keys(examples).length > 0 && { examples }) },
    ]),
  );

function headersOf(headers: SuccessDescription['headers'] = {}): Json {
  const described = (name: string, header: HeaderDescription | 'common') =>
    header === 'common' ? commonHeaders[name as keyof typeof commonHeaders] : header;
  const own = Object.entries(headers).map(([name, header]) => [name, headerOf(described(name, header))]);
  return { 'x-request-id': { $ref: '#/components/headers/RequestId' }, ...Object.fromEntries(own) };
}

const retryAfter: HeaderDescription = { description: 'The number of seconds before a retry.' };

const headersOfStatus: Readonly<Record<number, Readonly<Record<string, HeaderDescription>>>> = {
  401: { 'www-authenticate': { description: 'Always `Bearer`.' } },
  416: {
    'content-range': { description: 'The size of the file in bytes: `bytes */N`.' },
    'accept-ranges': { description: 'Always `bytes`.' },
  },
  429: { 'retry-after': retryAfter },
  503: { 'retry-after': retryAfter },
};

/** Waiting resolves only the conflict of an early retry. */
function headersOfConflict(
  codes: readonly RefusalCode[],
  endpoint: Endpoint,
): Readonly<Record<string, HeaderDescription>> {
  if (!codes.includes('conflict') || !takesHeader(endpoint, 'Idempotency-Key')) return {};
  return { 'retry-after': { ...retryAfter, isOptional: codes.length > 1 } };
}

function refusal(status: number, codes: readonly RefusalCode[], endpoint: Endpoint): Json {
  return {
    description: codes
      .map((code) => `${code === 'form_not_found' ? '' : `\`${code}\`: `}${reasonOf(code, endpoint)}`)
      .join('; ')
      .concat('.'),
    headers: headersOf(status === 409 ? headersOfConflict(codes, endpoint) : headersOfStatus[status]),
    content: {
      'application/json': {
        schema: codes.includes('form_not_found') ? frozen : errorSchema(status, codes),
        ...(status === 401 && { example: codes.includes('invalid_api_key') ? unknownKey : noSession }),
      },
    },
  };
}

/** Each operation with a caller shows one error, as the service returns it. */
const unknownKey = { message: 'This API key is not valid.', code: 'invalid_api_key' };
const noSession = { message: 'Sign in first: this address takes a session only.', code: 'missing_session' };

/** The frozen body of the contract. */
const frozen: Json = {
  type: 'object',
  properties: { message: { ...text, const: 'Form not found.' } },
  required: ['message'],
  additionalProperties: false,
};

const errorSchema = (status: number, codes: readonly RefusalCode[]): Json => ({
  type: 'object',
  properties: {
    message: { ...text, description: 'A sentence for a person.' },
    code: { ...text, enum: codes, description: 'A stable name for a program.' },
    ...((status === 400 || codes.includes('in_use')) && {
      errors: {
        type: 'array',
        items: schemaRef('Issue'),
        description: 'All errors, each with its path.',
      },
    }),
  },
  required: ['message', 'code', ...(status === 400 ? ['errors'] : [])],
  additionalProperties: false,
});
