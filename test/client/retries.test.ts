import { describe, expect, it } from '@jest/globals';
import { WorkspaceClient } from '#lib/client/client.ts';
import { ReplyBroken } from '#lib/client/reply-events.ts';

type Step = Response | Error;
const refused = (status: number, retryAfter?: string): Response =>
  new Response(JSON.stringify({ message: 'No.', code: 'no' }), {
    status,
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  });
const fine = (): Response => new Response('{"data":[],"pagination":{}}', { status: 200 });
const cut = (): Error => new TypeError('fetch failed');

/** A client that gets its responses from a list. */
function clientWith(steps: readonly Step[], options: object = {}) {
  const calls: Request[] = [];
  const left = [...steps];
  const send: typeof fetch = async (input, init) => {
    calls.push(new Request(input, init));
    const step = left.shift() ?? fine();
    if (step instanceof Error) throw step;
    return step;
  };
  const client = new WorkspaceClient({ baseUrl: 'https://api.example/', apiKey: 'secret', fetch: send, ...options });
  return { client, calls };
}

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fine',
    (error) => `${error.name} ${error.status ?? ''}`.trim(),
  );

describe('a read', () => {
  it.each<[string, Step[]]>([
    ['a broken connection', [cut(), cut()]],
    ['503', [refused(503), refused(503)]],
    ['429', [refused(429, '0')]],
    ['502 and 504 of what stands in front', [refused(502), refused(504)]],
  ])('is retried after %s', async (_, steps) => {
    const { client, calls } = clientWith(steps);
    expect(await outcome(client.listProducts())).toBe('fine');
    expect(calls).toHaveLength(steps.length + 1);
  });

  it.each([400, 401, 403, 404, 412, 500])('is not retried after %d', async (status) => {
    const { client, calls } = clientWith([refused(status)]);
    expect([await outcome(client.listProducts()), calls.length]).toEqual([`ApiError ${status}`, 1]);
  });

  it('fails after the configured number of attempts', async () => {
    const { client, calls } = clientWith([refused(503), refused(503)], { retries: 1 });
    expect([await outcome(client.listProducts()), calls.length]).toEqual(['ApiError 503', 2]);
    const none = clientWith([refused(503)], { retries: 0 });
    expect([await outcome(none.client.listProducts()), none.calls.length]).toEqual(['ApiError 503', 1]);
  });

  it('waits for Retry-After, unless that is too long', async () => {
    const { client, calls } = clientWith([refused(429, '1')]);
    const startedAt = performance.now();
    expect([await outcome(client.listProducts()), calls.length]).toEqual(['fine', 2]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(995);
    const late = clientWith([refused(429, '60')]);
    expect([await outcome(late.client.listProducts()), late.calls.length]).toEqual(['ApiError 429', 1]);
  });
});

describe('a service that does not answer', () => {
  it('is waited for no longer than the chosen time', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const { client } = clientWith([], { fetch: silent, timeoutMilliseconds: 30, retries: 1 });
    expect(await outcome(client.listProducts())).toBe('TimeoutError');
  });
});

describe('an update', () => {
  it.each<[string, Step, string, number]>([
    ['a broken connection', cut(), 'TypeError', 1],
    ['503', refused(503), 'ApiError 503', 1],
    ['429, which was not carried out', refused(429, '0'), 'fine', 2],
  ])('is retried after %s only if that is safe', async (_, step, expected, count) => {
    const { client, calls } = clientWith([step]);
    expect([await outcome(client.updateEntry('chefs', 'a', {})), calls.length]).toEqual([expected, count]);
  });
});

describe('an update with an Idempotency-Key', () => {
  it('is retried with the same key', async () => {
    const { client, calls } = clientWith([cut(), refused(503)]);
    expect(await outcome(client.updateEntry('chefs', 'a', {}, { idempotencyKey: 'one' }))).toBe('fine');
    expect(calls.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['one', 'one', 'one']);
  });
});

describe('a submit', () => {
  it('is retried with the same Idempotency-Key', async () => {
    const { client, calls } = clientWith([cut(), refused(409, '0')]);
    expect(await outcome(client.submitForm('contact', {}))).toBe('fine');
    const sent = calls.map(({ headers }) => headers.get('idempotency-key'));
    expect([sent.length, new Set(sent).size]).toEqual([3, 1]);
    expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an upload', () => {
  const stored = { id: 'a', name: 'a.bin', s3Key: 'k', type: 'text/plain', url: 'u' };
  const answered = (files: readonly object[]): Response => new Response(JSON.stringify({ files }));
  const upload = {
    method: 'PUT',
    url: 'https://bucket.example/k',
    headers: { 'content-type': 'text/plain', 'content-length': '4000001' },
    expiresAt: '2026-01-01T00:00:00.000Z',
  };
  const file = (size: number) => ({ name: 'a.bin', type: 'text/plain', data: new Uint8Array(size) });
  const keyOf = ({ headers }: Request) => headers.get('idempotency-key');

  it('is retried with one Idempotency-Key', async () => {
    const { client, calls } = clientWith([cut(), refused(503), refused(409, '0'), answered([stored])], { retries: 3 });
    expect(await client.uploadAttachments([file(1)])).toEqual([stored]);
    const sent = calls.map(keyOf);
    expect([sent.length, new Set(sent).size]).toEqual([4, 1]);
    expect(sent[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is retried with the given key', async () => {
    const { client, calls } = clientWith([cut(), answered([stored])]);
    await client.uploadAttachments([file(1)], { idempotencyKey: 'one' });
    expect(calls.map(keyOf)).toEqual(['one', 'one']);
  });

  it('an upload of a large file is announced and sent until it succeeds', async () => {
    const { client, calls } = clientWith([
      cut(),
      answered([{ ...stored, upload }]),
      cut(),
      refused(503),
      new Response(null, { status: 200 }),
    ]);
    expect(await client.uploadAttachments([file(4_000_001)])).toEqual([stored]);
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'PUT', 'PUT']);
    expect(keyOf(calls[1] as Request)).toBe(keyOf(calls[0] as Request));
    const [, , put] = calls;
    expect([put?.url, put?.headers.get('authorization'), keyOf(put as Request)]).toEqual([upload.url, null, null]);
  });

  it('an upload of a stored large file succeeds', async () => {
    const steps = [answered([{ ...stored, upload }]), cut(), refused(412)];
    expect(await clientWith(steps).client.uploadAttachments([file(4_000_001)])).toEqual([stored]);
  });

  it.each([403, 413])('is not retried after %d', async (status) => {
    const { client, calls } = clientWith([refused(status)]);
    expect([await outcome(client.uploadAttachments([file(1)])), calls.length]).toEqual([`ApiError ${status}`, 1]);
    const direct = clientWith([answered([{ ...stored, upload }]), refused(403)]);
    expect(await outcome(direct.client.uploadAttachments([file(4_000_001)]))).toBe('ApiError 403');
  });
});

describe('a call', () => {
  it('sends its key where the route reads it, and escapes its address', async () => {
    const { client, calls } = clientWith([]);
    await client.listProducts({ search: 'a&b=c', ids: ['x', 'y'], published: false, slug: undefined });
    await outcome(client.getEntry('a/b', '../c?d'));
    const [menu, entry] = calls;
    expect(menu?.url).toBe(
      'https://api.example/api/public/menu/products?search=a%26b%3Dc&ids=x%2Cy&published=false&apiKey=secret',
    );
    expect(menu?.headers.get('authorization')).toBeNull();
    expect(entry?.url).toBe('https://api.example/api/public/cms/a%2Fb/..%2Fc%3Fd');
    expect(entry?.headers.get('authorization')).toBe('Bearer secret');
  });

  it('sends several values of a condition in several parameters, because they may have commas', async () => {
    const { client, calls } = clientWith([new Response('[]'), new Response('[]')]);
    await client.listEntries('dishes', { filter: { size: { in: ['S, M', 'L'] }, rank: { gte: 2 } }, sort: '-rank' });
    await client.listEntries('dishes', { filter: { size: { in: ['S, M'] } } });
    expect(calls.map(({ url }) => [...new URL(url).searchParams].map((pair) => pair.join('=')))).toEqual([
      ['filter[size][in]=S, M', 'filter[size][in]=L', 'filter[rank][gte]=2', 'sort=-rank'],
      ['filter[size][in]=S\\, M'],
    ]);
  });

  it('with a list of no values is refused, because the service would select everything', async () => {
    const { client, calls } = clientWith([]);
    const lists = [
      client.listEntries('dishes', { filter: { size: { in: [] } } }),
      client.listProducts({ ids: [] }),
      client.listEvents({ types: [] as never }),
    ];
    expect(await Promise.all(lists.map(outcome))).toEqual(['RangeError', 'RangeError', 'RangeError']);
    expect(calls).toEqual([]);
    await client.listProducts({ fallback: [] });
    expect(calls).toHaveLength(1);
  });

  it.each(['', '.', '..'])('a call with %j as an id is refused', async (id) => {
    const { client, calls } = clientWith([]);
    expect(await outcome(client.getEntry('chefs', id))).toBe('RangeError');
    expect(await outcome((async () => client.downloadAsset(`workspaces/${id}/x`))())).toBe('RangeError');
    expect(calls).toEqual([]);
  });

  it('is not needed to find out that the client cannot work, and the key is not shown', () => {
    for (const address of ['', 'localhost:3000', '/api', 'ftp://a.example', 'http://', undefined as never]) {
      expect(() => new WorkspaceClient({ baseUrl: address })).toThrow(
        new TypeError('baseUrl: Must be an address such as https://api.example.com.'),
      );
    }
    for (const secret of ['secret\n', 'two secrets', 'secr\u00e9t', '\u202esecret']) {
      const make = () => new WorkspaceClient({ baseUrl: 'http://a.example', apiKey: secret });
      expect(make).toThrow(new TypeError('apiKey: Must be one line of printable ASCII characters without spaces.'));
    }
  });

  it('ends with its signal, even between two tries', async () => {
    const { client } = clientWith([refused(503, '5')]);
    const question = { agentId: 'a', conversationId: 'b', senderId: 'c' };
    const reply = client.streamReply(question, AbortSignal.timeout(50));
    expect(await outcome(reply.next())).toBe('TimeoutError');
  });
});

describe('a reply', () => {
  const question = { agentId: 'a', conversationId: 'b', senderId: 'c' };
  const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const streamed = (text: string, size: number): Response => {
    const bytes = new TextEncoder().encode(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    return new Response(ReadableStream.from(pieces) as ReadableStream<Uint8Array>);
  };
  const done = { type: 'done', messageId: 'm', text: 'مرحبا' };

  it.each([1, 2, 7, 1_000])('is the same in pieces of %d bytes', async (size) => {
    const text = `: ping\n\n${event({ type: 'delta', delta: 'مرحبا', text: 'مرحبا' })}${event(done)}`;
    const { client } = clientWith([streamed(text, size)]);
    expect(await Array.fromAsync(client.streamReply(question))).toEqual([
      { type: 'delta', delta: 'مرحبا', text: 'مرحبا' },
      done,
    ]);
  });

  const delta = (text: string) => ({ type: 'delta', delta: text, text });
  /** A stream that ends or breaks after these bytes. */
  const broken = (bytes: Uint8Array | string, reset?: Error): Response => {
    const pieces = [typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const piece = pieces.shift();
      if (piece && piece.length > 0) controller.enqueue(piece);
      else if (piece === undefined && reset) controller.error(reset);
      else if (piece === undefined) controller.close();
    };
    return new Response(new ReadableStream({ pull }));
  };
  /** The events that a caller gets, and the error after them. */
  const seenBy = async (events: AsyncGenerator<unknown>) => {
    const seen: unknown[] = [];
    try {
      for await (const one of events) seen.push(one);
    } catch (error) {
      return { seen, error };
    }
    return { seen };
  };
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const untilLetter = bytesOf(event(delta('\u{1F372}'))).subarray(0, -6);
  const ends: readonly (readonly [string, Uint8Array | string])[] = [
    ['before any byte', ''],
    ['inside a comment', ': pi'],
    ['inside the name of a field', 'da'],
    ['inside the JSON of an event', 'data: {"type":"done","messageId":"m"'],
    ['inside a character of four bytes', untilLetter],
    ['after the line of an event', `data: ${JSON.stringify(done)}\n`],
    ['after JSON that is cut but framed', 'data: {"type":\n\n'],
  ];

  it('the bytes of these tests do end inside a character', () => {
    expect(new TextDecoder().decode(untilLetter).at(-1)).toBe('\uFFFD');
  });

  describe.each([
    ['ends', undefined],
    ['is reset', new TypeError('terminated')],
  ])('whose stream %s', (_, reset) => {
    it('before its first event, wherever, is requested again and comes whole', async () => {
      const replies = ends.map(([, bytes]) => clientWith([broken(bytes, reset), streamed(event(done), 9)]));
      const read = await Promise.all(replies.map(({ client }) => seenBy(client.streamReply(question))));
      expect(read).toEqual(ends.map(() => ({ seen: [done] })));
      expect(replies.map(({ calls }) => calls.length)).toEqual(ends.map(() => 2));
    });

    it('before its first event each time is ReplyBroken after the configured number of attempts', async () => {
      const replies = ends.map(([, bytes]) => clientWith([broken(bytes, reset), broken(bytes, reset)], { retries: 1 }));
      const read = await Promise.all(replies.map(({ client }) => seenBy(client.streamReply(question))));
      expect(read).toEqual(ends.map(() => ({ seen: [], error: expect.any(ReplyBroken) })));
      expect(replies.map(({ calls }) => calls.length)).toEqual(ends.map(() => 2));
    });

    it.each(ends)('%s after a delta is ReplyBroken at once: the caller has that delta', async (_name, bytes) => {
      const started = Buffer.concat([bytesOf(event(delta('a'))), typeof bytes === 'string' ? bytesOf(bytes) : bytes]);
      const { client, calls } = clientWith([broken(started, reset)]);
      const { seen, error } = await seenBy(client.streamReply(question));
      expect([seen, calls.length]).toEqual([[delta('a')], 1]);
      expect(error).toBeInstanceOf(ReplyBroken);
    });
  });

  it('that breaks after its last event is whole', async () => {
    const { client, calls } = clientWith([broken(event(done), new TypeError('terminated'))]);
    expect(await seenBy(client.streamReply(question))).toEqual({ seen: [done] });
    expect(calls).toHaveLength(1);
  });

  it('that breaks names the error of the connection as its cause', async () => {
    const reset = new TypeError('terminated');
    const { client } = clientWith([broken(event(delta('a')), reset)]);
    expect(await seenBy(client.streamReply(question))).toMatchObject({ error: { name: 'ReplyBroken', cause: reset } });
  });

  it('that its caller stops ends with the signal and not with ReplyBroken', async () => {
    const stop = new AbortController();
    const endless: typeof fetch = async (_, init) => {
      const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        controller.enqueue(bytesOf(event(delta('a'))));
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
      };
      return new Response(new ReadableStream({ start }));
    };
    const { client } = clientWith([], { fetch: endless });
    const events = client.streamReply(question, stop.signal);
    expect((await events.next()).value).toEqual(delta('a'));
    const next = outcome(events.next());
    stop.abort();
    expect(await next).toBe('AbortError');
  });
});

describe('an answer that breaks inside its body', () => {
  const half = (): Response => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      controller.enqueue(new TextEncoder().encode('{"data":['));
      controller.error(new TypeError('terminated'));
    };
    return new Response(new ReadableStream({ start }));
  };

  it('of a read is requested again', async () => {
    const { client, calls } = clientWith([half(), half()]);
    expect([await outcome(client.listProducts()), calls.length]).toEqual(['fine', 3]);
  });

  it('of an update is not, because the update may have taken place', async () => {
    const { client, calls } = clientWith([half()]);
    expect([await outcome(client.updateEntry('chefs', 'a', {})), calls.length]).toEqual(['TypeError', 1]);
  });
});
