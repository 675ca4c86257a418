import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const forms = await openWorkspace('forms', withForms([form('contact', [field('name', 'TEXT')])]));
const {
  keys: { admin },
} = await openWorkspace('access');
const { reader } = forms.keys;

interface Sending {
  readonly request: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const entry = 'GET /api/public/cms/chefs/chef_1';
const withCookie = (cookie: string): Sending => ({ request: entry, key: reader, headers: { cookie } });

/** Requests that carry texts as cookies, beside the key of the caller. */
const cookies: Readonly<Record<string, (texts: readonly string[]) => Sending>> = {
  values: (texts) => withCookie(texts.map((text) => `a=${text}`).join('; ')),
  names: (texts) => withCookie(texts.map((text) => `${text}=a`).join(';')),
  'pairs without a name': (texts) => withCookie(texts.join('; ')),
  'sessions and logins': (texts) => withCookie(texts.map((text) => `__Host-session=${text}; login=${text}`).join('; ')),
};

/** Requests that carry one text in another place for credentials. */
const places: Readonly<Record<string, (text: string) => Sending>> = {
  'another authorization': (text) => ({
    request: entry,
    headers: { 'x-api-key': reader, authorization: `Basic ${text}` },
  }),
  'the whole authorization': (text) => ({ request: entry, headers: { 'x-api-key': reader, authorization: text } }),
  'the header x-api-key of a route that does not read it': (text) => ({
    request: `GET /api/public/forms/contact?apiKey=${reader}`,
    headers: { 'x-api-key': text },
  }),
  'the parameters of a sign-in': (text) => ({
    request: `${entry}?code=${encodeURIComponent(text)}&state=${encodeURIComponent(text)}`,
    key: reader,
  }),
  'the secret of the gateway': (text) => ({ request: entry, key: reader, headers: { 'x-origin-verify': text } }),
  'a key that nobody has': (text) => ({ request: entry, key: text }),
};

/** Every name, every text and every number of a line, and pieces of its JSON. */
function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (value === null || typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([name, member]) => [name, `"${name}":`, ...wordsOf(member)]);
}

/** Texts of the start of the time stamp, which still hold when the next line is written. */
const timeWords = (): string[] => {
  const now = new Date();
  return [String(now.getTime()).slice(0, 8), now.toISOString().slice(0, 10), now.toISOString().slice(0, 16)];
};

const stackOrNothing = (name: string, value: unknown): unknown => (name === 'causes' ? undefined : value);

/** What a line says but for the time and the cost, which differ from request to request. */
function kept(line: string): unknown {
  const { time, requestId, milliseconds, dynamodb, Latency, ReadUnits, _aws, ...rest } = JSON.parse(line);
  expect([time, requestId]).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    expect.stringMatching(/^[\da-f-]{36}$/),
  ]);
  const metrics = _aws && { ...rest, ..._aws.CloudWatchMetrics[0], hasTime: Number.isInteger(_aws.Timestamp) };
  return JSON.parse(JSON.stringify({ ...rest, metrics, names: Object.keys(JSON.parse(line)) }, stackOrNothing));
}

async function linesOf({ request, ...options }: Sending, isFailing = false): Promise<string[]> {
  const { TABLE_NAME } = process.env;
  if (isFailing) process.env['TABLE_NAME'] = 'no-such-table';
  try {
    return await capturedLines(() => call(request, options));
  } finally {
    process.env['TABLE_NAME'] = TABLE_NAME;
  }
}

/** The texts of these lines that a header can carry, as a caller could know them. */
function sendableWords(lines: readonly string[]): string[] {
  const words = new Set(lines.flatMap((line) => wordsOf(JSON.parse(line))).map((word) => word.slice(0, 200)));
  const sendable = [...words, ...timeWords()].filter((word) => /^[\x20-\x7e]{3,}$/.test(word));
  expect(sendable.length).toBeGreaterThan(30);
  return sendable;
}

describe('a log line', () => {
  it.each(Object.entries(cookies))(
    'keeps each of its members, whatever a caller sends as %s of cookies',
    async (_, sending) => {
      for (const isFailing of [false, true]) {
        const usual = await linesOf(sending(['nothing-of-a-line']), isFailing);
        expect(usual).toHaveLength(isFailing ? 2 : 1);
        const lines = await linesOf(sending(sendableWords(usual)), isFailing);
        expect(lines.map(kept)).toEqual(usual.map(kept));
      }
    },
  );

  it.each(Object.entries(places))('keeps each of its members, whatever a caller sends as %s', async (_, sending) => {
    const usual = await linesOf(sending('nothing-of-a-line'));
    for (const word of sendableWords(usual)) {
      const lines = await linesOf(sending(word));
      expect({ word, lines: lines.map(kept) }).toEqual({ word, lines: usual.map(kept) });
    }
  });

  it('names the records of a request, whatever its cookies are', async () => {
    const headers = { cookie: 'a=form_contact; b=responseId; c=key_reader' };
    const [line] = await capturedLines(() =>
      call(`POST /api/public/forms/contact?apiKey=${reader}`, { headers, body: { name: 'Huda' } }),
    );
    expect(JSON.parse(line ?? '')).toMatchObject({
      keyId: 'key_reader',
      formId: 'form_contact',
      responseId: expect.any(String),
      status: 200,
    });
  });

  it('contains no key that names a record, as a whole or as a part, and no key that is the id of a trace', async () => {
    const hexadecimal = randomUUID().replaceAll('-', '');
    await openWorkspace('kitchen', ({ apiKeys }) => {
      apiKeys.push({ id: 'key_trace', name: 'Trace', secret: hexadecimal, permissions: [...Permission.options] });
    });
    for (const [key, id] of [
      [admin, admin],
      [admin, `x-${admin}-y`],
      [hexadecimal, hexadecimal],
    ] as const) {
      const headers = { traceparent: `00-${hexadecimal}-00f067aa0ba902b7-01` };
      const statuses: number[] = [];
      const lines = await capturedLines(async () => {
        const body = { name: 'Huda' };
        for (const method of ['PUT', 'PATCH', 'DELETE']) {
          const request = `${method} /api/v1/manage/customers/${id}`;
          const answer = await call(request, { key, headers, ...(method !== 'DELETE' && { body }) });
          statuses.push(answer.status);
        }
      });
      expect(statuses).toEqual([201, 200, 204]);
      expect(lines.length).toBe(3);
      for (const line of lines) {
        expect(line).not.toContain(key);
        expect(JSON.parse(line)).toMatchObject({ recordKind: 'customers', recordId: id.replace(key, '[removed]') });
      }
    }
  });
});
