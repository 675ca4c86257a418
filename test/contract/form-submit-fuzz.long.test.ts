import { expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { call } from '#test/support/call.ts';
import { fc } from '#test/support/fast-check.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const propertiesBefore = Object.getOwnPropertyNames(Object.prototype).sort();
const types = 'TEXT EMAIL NUMBER URL DATE TIME DATETIME CHECKBOX MULTI_SELECT FILE'.split(' ');
const forms = await openWorkspace(
  'forms',
  withForms([
    form('open', [
      ...types.map((type) => field(type.toLowerCase(), type)),
      field('code', 'TEXT', { pattern: '[a-c]+' }),
    ]),
    form('closed', [], { enabled: false }),
  ]),
);

const issue = z.strictObject({ path: z.string(), code: z.string(), message: z.string() });
const failure = z.strictObject({ message: z.string(), code: z.string(), errors: z.optional(z.array(issue)) });
const bodies: Record<string, z.ZodMiniType> = {
  200: z.strictObject({ message: z.literal('Submited form successfully.') }),
  404: z.union([z.strictObject({ message: z.literal('Form not found.') }), failure]),
};
const statuses = [200, 400, 401, 403, 404, 405, 413, 415, 422];

const evil = fc.constantFrom(
  '',
  '\u0000',
  '../',
  '%',
  '%00',
  '#',
  '__proto__',
  'constructor',
  '\ud800',
  'ن',
  '🍋',
  '\r\nSet-Cookie: a=b',
  '{}',
  '1e999',
);
const text = fc.oneof(
  evil,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('a@b.co', '2026-01-31', 'on', '1'),
);
const value = fc.oneof(text, fc.jsonValue({ maxDepth: 4 }), fc.array(text, { maxLength: 3 }));
const ref = fc.oneof(fc.constantFrom(...types.map((type) => type.toLowerCase()), 'code', '_meta'), text);
const json = fc.array(fc.tuple(ref, value), { maxLength: 6 }).map((members) => {
  return `{${members.map((member) => member.map((part) => JSON.stringify(part)).join(':')).join()}}`;
});
const body = fc.oneof({ weight: 4, arbitrary: json }, fc.json(), text);
const header = fc.string({ unit: fc.constantFrom(...'abc 0,;="\\é'), maxLength: 300 });

const request = fc.record({
  slug: fc.oneof({ weight: 4, arbitrary: fc.constant('open') }, fc.constant('closed'), text),
  query: fc.oneof(
    { weight: 6, arbitrary: fc.constant(`apiKey=${forms.key}`) },
    fc.constant('apiKey=x'),
    text.map(encode),
  ),
  headers: fc.record(
    {
      'idempotency-key': header,
      'accept-language': header,
      'content-type': fc.oneof(header, fc.constant('application/json')),
    },
    { requiredKeys: [] },
  ),
  body,
});

function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

it('every request gets a documented answer', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ slug, query, headers, body: sent }) => {
      const sentHeaders = { 'content-type': 'application/json', ...headers };
      const answer = await call(`POST /api/public/forms/${encode(slug)}?${query}`, {
        headers: sentHeaders,
        body: sent,
      });
      expect(statuses).toContain(answer.status);
      expect((bodies[answer.status] ?? failure).safeParse(answer.json).success).toBe(true);
      expect(answer.status === 200).toBe(answer.headers['x-form-response-id'] !== undefined);
    }),
    { numRuns: 500 },
  );
});

it('no prototype has a new member', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(propertiesBefore);
});
