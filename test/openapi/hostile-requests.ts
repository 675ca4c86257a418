import type { Operation } from '#test/support/api-document.ts';
import { demoKeys } from '#test/support/demo-workspace.ts';
import { fc } from '#test/support/fast-check.ts';
import { encoded, hostileForm, hostileJson, hostileText, nearlyValid } from './hostile-values.ts';

/** A partly valid request for `call`. It passes the first check that could refuse it. */
export interface HostileRequest {
  readonly request: string;
  readonly options: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
}

/** Names of stored records, which are not in the description. */
export interface StoredNames {
  readonly s3Key: string;
  /** Ids of records, by the address of their list. */
  readonly idsOf: Readonly<Record<string, readonly string[]>>;
}

const mostly = <T, U>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<U>, weight = 4) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: unusual });

type Parameter = Operation['parameters'][number];

/** The examples, choices, bounds and defaults of the description. */
function documentedValues({ schema, examples = {} }: Parameter): string[] {
  const { enum: choices = [], default: fallback, minimum, maximum, type } = schema as Record<string, never>;
  const shown = Object.values(examples).map(({ value }) => value);
  const bounds = [...(choices as string[]), fallback, minimum, maximum].filter((value) => value !== undefined);
  return [...shown, ...bounds, ...(type === 'boolean' ? [true, false] : [])].map(String);
}

function parameterValue(parameter: Parameter): fc.Arbitrary<string> {
  const good = documentedValues(parameter);
  return encoded(good.length > 0 ? mostly(fc.constantFrom(...good), hostileText, 2) : hostileText);
}

function queryOf({ parameters }: Operation): fc.Arbitrary<string[]> {
  const pairs = parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameterValue(parameter).map((value) => `${parameter.name}=${value}`));
  const strange = fc.tuple(encoded(hostileText), encoded(hostileText)).map((pair) => pair.join('='));
  return mostly(
    // Each at most one time, in any order.
    fc.shuffledSubarray(pairs, { maxLength: Math.min(4, pairs.length) }).chain((some) => fc.tuple(...some)),
    fc.array(fc.oneof(strange, fc.constantFrom('', '=', 'limit', 'limit[]=1', 'apiKey=x'), ...pairs), { maxLength: 8 }),
  );
}

/** An additional slash makes another address, and so does an empty part. A malformed encoding is an unknown address. */
const segment = hostileText
  .map((text) => text.toWellFormed())
  .filter((text) => !/^\.{0,2}$|\/|^list$/.test(text))
  .map(encodeURIComponent);

const files = ['start.js', 'swagger-ui.css'];

function pathOf({ path, parameters }: Operation, { s3Key, idsOf }: StoredNames): fc.Arbitrary<string> {
  const named = parameters.filter((parameter) => parameter.in === 'path');
  const values = named.map((parameter) => {
    if (parameter.name === 'key') {
      const own = s3Key.split('/').slice(0, -1).join('/');
      return fc.oneof(
        fc.constant(s3Key),
        segment.map((last) => `${own}/${last}`),
        segment,
      );
    }
    const list = path.split('/{')[0] ?? '';
    const good = [...documentedValues(parameter), ...(parameter.name === 'file' ? files : (idsOf[list] ?? []))];
    return good.length > 0 ? mostly(fc.constantFrom(...good), segment) : segment;
  });
  return fc.tuple(...values).map((parts) => {
    const byName = Object.fromEntries(named.map(({ name }, index) => [name, parts[index]]));
    return path.replaceAll(/\{(\w+)\}/g, (_, name) => byName[name] ?? '');
  });
}

const headerValues: Readonly<Record<string, readonly string[]>> = {
  range: [
    'bytes=0-',
    'bytes=0-3',
    'bytes=5-2',
    'bytes=-0',
    'bytes=-5',
    'bytes=99999-',
    'bytes=0-1,3-4',
    'lines=1',
    `bytes=${'9'.repeat(30)}-`,
  ],
  'if-range': ['"a"', 'W/"a"', 'Sat, 21 Nov 2026 20:00:00 GMT'],
  'if-match': ['*', '"a"', '"a", W/"b"', '""', 'a'],
  'if-none-match': ['*', '"a"', '"a", W/"b"', '""', 'a', '"'],
  'if-modified-since': ['Sat, 21 Nov 2026 20:00:00 GMT'],
  'accept-language': ['ar', 'ar, en;q=0.1', '*', 'xx-yy;q=9', ',;,'],
  'idempotency-key': ['a', 'b', 'x'.repeat(255), 'x'.repeat(256), ' '],
  'content-encoding': ['gzip', 'identity', ''],
  'transfer-encoding': ['chunked'],
  'x-http-method-override': ['DELETE'],
  'x-forwarded-for': ['127.0.0.1'],
  accept: ['text/html', 'application/xml;q=1'],
  origin: ['https://elsewhere.example'],
  cookie: ['apiKey=x'],
};
const asciiText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 });
const someHeaders = fc.record(
  Object.fromEntries(
    Object.entries(headerValues).map(([name, values]) => [name, mostly(fc.constantFrom(...values), asciiText)]),
  ),
  { requiredKeys: [] },
);
/** Most of them change nothing, and concurrent ones conflict with each other. */
const headersOf = (own: readonly string[]) =>
  someHeaders.chain((all) =>
    fc
      .subarray(Object.keys(all), { maxLength: Math.min(own.length + 1, Object.keys(all).length) })
      .map((names) => Object.fromEntries(names.map((name) => [name, all[name] as string]))),
  );

interface Keys {
  readonly inQuery?: string | undefined;
  readonly inHeader?: string | undefined;
}
const anyKey = fc.constantFrom(...Object.values(demoKeys), 'wsk_unknown', '', undefined);
/** Mostly a valid key in the right header, because an invalid key would end the request early. */
function keysOf({ path, security }: Operation): fc.Arbitrary<Keys> {
  const right = path.includes('/connect/') ? demoKeys.desk : demoKeys.admin;
  const isInQuery = security.every((place) => 'query' in place);
  return fc.oneof<fc.MaybeWeightedArbitrary<Keys>[]>(
    { weight: 8, arbitrary: fc.constant(isInQuery ? { inQuery: right } : { inHeader: right }) },
    { weight: 1, arbitrary: fc.record({ inQuery: anyKey }) },
    { weight: 1, arbitrary: fc.record({ inQuery: anyKey, inHeader: anyKey }) },
  );
}

const contentType = mostly(
  fc.constant('application/json'),
  fc.constantFrom(
    'application/json; charset=x',
    'application/json, text/plain',
    'text/plain',
    '',
    'a/b+json',
    'multipart/form-data',
  ),
  8,
);

interface Body {
  readonly contentType?: string;
  readonly body?: unknown;
}

function bodyOf({ requestBody }: Operation): fc.Arbitrary<Body> {
  if (!requestBody) return fc.constant({});
  const { examples = {} } = requestBody.content['application/json'] ?? {};
  const good = Object.values(examples).map(({ value }) => value as Readonly<Record<string, unknown>>);
  const isFiles = requestBody.content['multipart/form-data'] !== undefined;
  const inner = good.flatMap((body) =>
    'values' in body
      ? [nearlyValid(body['values'] as Readonly<Record<string, unknown>>).map((values) => ({ values }))]
      : [],
  );
  const json = fc.oneof(...good.map(nearlyValid), ...inner, ...(isFiles ? [announcement] : []), hostileJson);
  const asJson = fc.record({ contentType, body: json });
  return isFiles ? fc.oneof(hostileForm, asJson) : asJson;
}

const size = fc.oneof(fc.integer(), fc.constantFrom(0, 1, 26_214_400, 26_214_401, 0.5, 1e300));
const announcement = fc.record({
  files: fc.array(fc.record({ name: hostileText, type: hostileText, size }, { requiredKeys: ['size'] }), {
    maxLength: 6,
  }),
});

/** Hostile requests to one operation. */
export function hostileRequest(operation: Operation, known: StoredNames): fc.Arbitrary<HostileRequest> {
  const { method, parameters } = operation;
  const named = parameters.flatMap((parameter) => (parameter.in === 'header' ? [parameter.name.toLowerCase()] : []));
  return fc
    .record({
      method: method === 'GET' ? mostly(fc.constant(method), fc.constant('HEAD'), 9) : fc.constant(method),
      path: pathOf(operation, known),
      query: queryOf(operation),
      keys: keysOf(operation),
      headers: headersOf(named),
      body: bodyOf(operation),
    })
    .map(({ method: sent, path, query, keys, headers, body: { contentType: type, body } }) => {
      const pairs = [...query, ...(keys.inQuery === undefined ? [] : [`apiKey=${encodeURIComponent(keys.inQuery)}`])];
      return {
        request: `${sent} ${path}?${pairs.join('&')}`,
        options: {
          headers: {
            ...headers,
            ...(type !== undefined && { 'content-type': type }),
            ...(keys.inHeader !== undefined && { 'x-api-key': keys.inHeader }),
          },
          body,
        },
      };
    });
}

/** Addresses similar to that of an operation. They are unknown or belong to another operation. */
export const hostileAddress = ({ method, path }: Operation, known: StoredNames): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(path.replaceAll(/\{\w+\}/g, 'a'), `/api/v1/connect/assets/${known.s3Key}`),
      fc.nat(),
      fc.oneof(
        encoded(hostileText),
        fc.constantFrom('/', '//', '/..', '/.', '%2f', '%2F..%2F', '\\', ';', '%', '%00', '#'),
      ),
    )
    .map(([whole, at, text]) => {
      const split = at % (whole.length + 1);
      return `${method} /${whole.slice(1, split)}${text}${whole.slice(Math.max(split, 1))}`;
    });
