import { afterAll, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { streamPath } from '#test/support/presets/chat.ts';
import { field, form, withForms } from '#test/support/presets/forms.ts';
import { openWorkspace } from '#test/support/workspace.ts';

// Shared by the two files of log lines. Each imports it for itself, with its own workspaces.

const bytesMax = 32 * 1_024;
export const entries = '/api/public/cms/chefs';
export const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());

export const forms = await openWorkspace('forms', withForms([form('contact', [field('name', 'TEXT')])]));
export const room = await openWorkspace('chat');
/** A key with every permission, so that every body is read. */
export const {
  keys: { admin },
} = await openWorkspace('access');

const callers = { editor: forms.keys.editor, room: room.key, admin, nobody: undefined } as const;
type Caller = keyof typeof callers;
const everyCaller = Object.keys(callers) as Caller[];

/** Requests with one text in every value that a caller chooses. */
function requestsWith(text: string) {
  const inPath = encodeURIComponent(text.slice(0, 4_000).toWellFormed());
  const inHeader = Buffer.from(text.slice(0, 8_000))
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, ' ');
  const headers = {
    'user-agent': inHeader,
    'x-request-id': inHeader,
    'x-forwarded-for': inHeader,
    traceparent: inHeader,
    'if-match': inHeader,
    'accept-language': inHeader,
  };
  const requests = [
    [`GET ${entries}/list?limit=${inPath}&${inPath}=${inPath}`, undefined],
    [`GET ${entries}/list?fields=${inPath}`, undefined],
    [`GET /api/public/cms/${inPath}/list`, undefined],
    [`GET ${entries}/${inPath}`, undefined],
    [`PATCH ${entries}/${inPath}`, { values: { [text]: text } }],
    [`PATCH ${entries}/chef_1`, { values: { name: { en: text, [text]: text }, [text]: text } }],
    [`PATCH ${entries}/chef_1`, text],
    [`GET /api/public/menu/products?apiKey=${inPath}&search=${inPath}`, undefined],
    [`POST /api/public/forms/contact?apiKey=${forms.key}`, { name: text, [text]: text }],
    [`POST /api/public/forms/${inPath}?apiKey=${forms.key}`, { name: text }],
    [`POST /api/v1/connect/attachments`, { files: [{ name: text, type: text, size: text }] }],
    [`POST /api/v1/connect/attachments/announce`, { files: [{ name: text, type: text, size: text }] }],
    [`GET /api/v1/connect/assets/${inPath}`, undefined],
    [streamPath, { agentId: text, conversationId: text, senderId: text, customer: { name: text } }],
    [`GET /api/v1/manage/${inPath}?limit=${inPath}&cursor=${inPath}&q=${inPath}`, undefined],
    [`GET /api/v1/manage/menu-products/${inPath}`, undefined],
    [`POST /api/v1/manage/customers`, { name: text, [text]: text }],
    [`PUT /api/v1/manage/agents/${inPath}`, { name: text, [text]: text }],
    [`PATCH /api/v1/manage/workspace`, { name: text, [text]: text }],
    [`DELETE /api/v1/manage/forms/${inPath}`, undefined],
    [`POST /api/v1/manage/changes`, { changes: [{ method: text, kind: text, id: text, record: { [text]: text } }] }],
    [`POST /api/v1/manage/api-keys`, { name: text, permissions: [text], [text]: text }],
    [`POST /api/v1/manage/api-keys/${inPath}/rotate`, { graceSeconds: text }],
    [`PUT /api/v1/manage/members/${inPath}`, { name: text, email: text, permissions: [text] }],
    [`GET /api/v1/manage/audit-events?since=${inPath}&recordKind=${inPath}`, undefined],
    [`POST /api/v1/manage/media/announce`, { files: [{ name: text, type: text, size: text }] }],
    [`GET /media/${inPath}`, undefined],
    [`GET /api/v1/connect/conversations?status=${inPath}&cursor=${inPath}`, undefined],
    [`POST /api/v1/connect/conversations`, { channelId: text, customer: { name: text, email: text } }],
    [`POST /api/v1/connect/conversations/${inPath}/messages`, { senderType: text, text }],
    [`GET /${inPath}?${inPath}`, undefined],
    [`${'X'.repeat(30)} /docs`, undefined],
  ] as const;
  return requests.map(([request, body]) => ({ request, headers, body }));
}

/** @param by the callers that send each text in every input */
export function itKeepsLinesWhole(texts: Readonly<Record<string, string>>, by = everyCaller): void {
  it.each(Object.entries(texts))(
    'are single lines of JSON of at most 32 KB with %s in every input',
    async (_, text) => {
      const requests = requestsWith(text);
      const lines = await capturedLines(async () => {
        for (const { request, ...rest } of requests) {
          for (const name of by) {
            const key = callers[name];
            const { status } = await call(request, { ...(key && { key }), ...rest });
            expect([name, request.slice(0, 60), status < 500]).toEqual([name, request.slice(0, 60), true]);
          }
        }
      });
      expect(lines.length).toBeGreaterThanOrEqual(by.length * requests.length);
      for (const line of lines) {
        expect(() => JSON.parse(line)).not.toThrow();
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(bytesMax);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the lines must not contain these characters.
        expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      }
    },
  );
}

/** Sends keys in every input and as every header and parameter. */
export function itHidesKeys(secrets: readonly string[]): void {
  it('contain no key, wherever callers send it', async () => {
    const lines = await capturedLines(async () => {
      for (const secret of secrets) {
        for (const { request, body } of requestsWith(secret)) {
          await call(request, { key: secret, body });
          await call(request, { headers: { 'x-api-key': secret, cookie: secret, 'x-origin-verify': secret }, body });
          await call(`${request}${request.includes('?') ? '&' : '?'}apiKey=${secret}`, { body });
        }
      }
    });
    expect(lines.length).toBeGreaterThan(200);
    for (const line of lines) for (const secret of secrets) expect(line).not.toContain(secret);
  });
}

/** A request's own credentials are removed from its lines, so these belong to other requests. */
export function itHidesSecretsOfOthers(by = everyCaller): void {
  it.each([
    'sk-live-0123456789abcdefghijklmnop',
    'saffron-site-key-0000000000',
    `wst_${'A1b2C3d4'.repeat(6)}`,
    `wss_${'Z9y8X7w6'.repeat(6)}`,
  ])('contain no secret of another caller, wherever a caller sends it: %s', async (secret) => {
    const requests = requestsWith(secret);
    const lines = await capturedLines(async () => {
      for (const { request, headers, body } of requests) {
        for (const name of by) {
          const key = callers[name];
          await call(request, { ...(key && { key }), headers, body });
        }
      }
    });
    expect(lines.length).toBeGreaterThanOrEqual(by.length * requests.length);
    for (const line of lines) expect(line).not.toContain(secret);
  });
}
