import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiDocument, type Operation } from '#test/support/api-document.ts';
import { call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { formType } from '#test/support/multipart.ts';

/** Of each operation; as many as somebody has patience for. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);

await openDemo();
const api = await ApiDocument.read();

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    ...['', ' ', '0', '1', '-1', '1e3', '007', '1.5', 'true', 'false', 'null', 'NaN', '__proto__', 'constructor'],
    ...[
      '٣',
      '\u0000',
      '\ud800',
      'a'.repeat(5_000),
      '"',
      '\\',
      "'; --",
      '../..',
      '$x',
      '<b>',
      'name',
      'name,mentor(name)',
    ],
    ...['name(', '(((((((', 'a,,b', '999999999999999', '9999999999999999', '100', '101', 'asc', 'desc', 'slug', 'lamb'],
  ),
);
const known = fc.constantFrom('chefs', 'articles', 'chef_noura', 'contact', 'catering', 'lamb-kabsa', 'list');
/** Another slash is another address, and so is nothing. */
const segment = fc
  .oneof(known, hostile)
  .filter((text) => text.isWellFormed() && !/^$|\/|^list$/.test(text))
  .map((text) => encodeURIComponent(text));

const header = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  fc.constantFrom('*', '""', '"a", W/"b"', 'bytes=0-', 'bytes=5-2', 'bytes=-0', 'ar, en;q=0.1', 'x'.repeat(300)),
);

const anyKey = fc.constantFrom(...Object.values(demoKeys), 'wsk_unknown', '', undefined);
/** Mostly one that counts, where it counts: whoever is refused for the key gets no further. */
const keysFor = ({ path, security }: Operation) => {
  const right = path.includes('/connect/') ? demoKeys.desk : demoKeys.editor;
  const isInQuery = security.every((place) => 'query' in place);
  const counting = fc.constant(
    isInQuery ? { inQuery: right, inHeader: undefined } : { inQuery: undefined, inHeader: right },
  );
  const none = fc.constant<string | undefined>(undefined);
  return fc.oneof(
    { weight: 8, arbitrary: counting },
    { weight: 1, arbitrary: fc.record({ inQuery: anyKey, inHeader: none }) },
    { weight: 1, arbitrary: fc.record({ inQuery: anyKey, inHeader: anyKey }) },
  );
};

const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=x',
  'text/plain',
  '',
  formType,
  'a/b+json',
);

const values = fc.dictionary(
  fc.oneof(
    fc.constantFrom('name', 'bio', 'mentor', 'published', 'id', 'email', 'message', 'agentId', '_meta'),
    hostile,
  ),
  fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostile, fc.constant({ en: 'x', ar: null })),
  { maxKeys: 6 },
);
const filesAnnounced = fc.record(
  { name: hostile, type: hostile, size: fc.oneof(fc.integer(), fc.constantFrom(0, 1, 26_214_400, 26_214_401, 0.5)) },
  { requiredKeys: [] },
);
const question = fc.record(
  {
    agentId: fc.constantFrom<unknown>('agent_saffron', 'agent_events', 'nobody', 1),
    conversationId: fc.constantFrom<unknown>('conv_huda', 'nowhere', '__proto__'),
    lastMessageId: fc.constantFrom<unknown>('msg_01', 'msg_99', null),
    senderId: fc.oneof(hostile, fc.constant(null)),
    customer: fc.oneof(values, fc.constant(null)),
    channelIdentifier: hostile,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.record({ values }),
  values,
  question,
  fc.record({ files: fc.array(filesAnnounced, { maxLength: 6 }) }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const requestOf = (operation: Operation) => {
  const { parameters, path, method, requestBody } = operation;
  const named = (place: string) => parameters.flatMap((parameter) => (parameter.in === place ? [parameter.name] : []));
  const some = <T>(names: readonly string[], value: fc.Arbitrary<T>) =>
    fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  return fc
    .record({
      segments: fc.record(Object.fromEntries(named('path').map((name) => [name, segment]))),
      query: some([...named('query'), 'other'], hostile),
      keys: keysFor(operation),
      headers: some(
        [...named('header'), 'content-encoding'].map((name) => name.toLowerCase()),
        header,
      ),
      contentType,
      ...(requestBody && { body }),
    })
    .map((parts) => {
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => parts.segments[name] ?? '');
      const query = new URLSearchParams({ ...parts.query, ...(parts.keys.inQuery && { apiKey: parts.keys.inQuery }) });
      const headers = { ...parts.headers } as Record<string, string>;
      if (parts.keys.inHeader !== undefined) headers['x-api-key'] = parts.keys.inHeader;
      if (requestBody) headers['content-type'] = parts.contentType;
      return { request: `${method} ${address}?${query}`, options: { headers, body: parts.body } };
    });
};

it.each(api.operations.map((operation) => [operation.operationId, operation] as const))(
  '%s answers whatever it is sent as described, and never with a mistake of its own',
  async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(requestOf(operation), async ({ request, options }) => {
        const answer = await call(request, options);
        expect(answer.status).toBeLessThan(500);
        expect(api.problemsOf(operation, answer)).toEqual([]);
      }),
      { numRuns, timeout: 10_000 },
    );
  },
  600_000,
);
