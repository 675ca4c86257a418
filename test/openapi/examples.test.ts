import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import type { ExampleCall } from '#lib/openapi/description.ts';
import { capturedFile, describedRoutes } from '#lib/openapi/document.ts';
import { type Answer, call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { MailSink } from '#test/support/mail-sink.ts';
import { signIn } from '#test/support/signed-in.ts';

const mail = await MailSink.start();
afterAll(() => mail.stop());
Object.assign(process.env, { PUBLIC_URL: 'https://api.example', OIDC_CLIENT_ID: 'console' });
process.env['OIDC_LOGOUT_URL'] = 'https://id.example/logout';

const demo = JSON.stringify(await openDemo());
const examples = (await describedRoutes()).flatMap(({ name, endpoint, description }) =>
  (description.examples ?? []).map((example) => [name, example.name, example, endpoint] as const),
);

const captured: Record<string, Record<string, object>> = JSON.parse(readFileSync(capturedFile, 'utf8'));
const mayWrite = process.env['UPDATE_EXAMPLES'] === '1';
const found: Record<string, Record<string, object>> = {};

const asMember = (address: string) => signIn({ workspaceId: 'ws_saffron', address });

/** Sends the example's request, with the demo's key if the route needs one. */
async function run(example: ExampleCall, method: string, path: string, isInQuery: boolean): Promise<Answer> {
  const key = example.key && demoKeys[example.key];
  const address = path.replaceAll(/\{([^}+]+)\+?\}/g, (_, name) => encodeURIComponent(example.path?.[name] ?? ''));
  const query = new URLSearchParams({ ...example.query, ...(isInQuery && key && { apiKey: key }) });
  const { body } = example;
  const signedIn = example.session === undefined ? undefined : await asMember(example.session);
  const headers = { ...example.headers, ...signedIn?.headers };
  return call(`${method} ${address}?${query}`, {
    ...(!isInQuery && key && { key }),
    headers,
    ...(body !== undefined && { body }),
  });
}

const isKnown = (time: string): boolean => demo.includes(time) || time === '"2026-11-20T21:00:00.000Z"';

/** Replaces values that are new in every run by those of the description. */
const scrubbed = (text: string): string =>
  text
    .replaceAll(/https?:\/\/127\.0\.0\.1:\d+\/[^/?"]+\//g, 'https://bucket.example/')
    .replaceAll(/\?X-Amz-[^"\s]*/g, '?X-Amz-Signature=...')
    .replaceAll(/(att|img)_[0-9a-z]{33}/g, '$1_0mhwq7x1c3f9a1c0e5b7d2864f0a9c3e1b')
    .replaceAll(/\/\d{4}-\d\d\//g, '/2026-11/')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '6f1c0a52-8d3e-4b7a-9a51-2c7e0d94b3f8')
    .replaceAll(/\b(key|not|img)_[\da-f]{32,}/g, '$1_0f7c2d9e4b1a48d6a3e5c8f0b2d41769')
    .replaceAll(/\bevt_[\da-z]{21}\b/g, 'evt_0mhwq7x1c3f9a1c0e5b7d')
    .replaceAll(/\bmsg_t[\da-z]{31}\b/g, 'msg_t0mhwq7x1c3f9a1c0e5b7d2864f0a9c3')
    .replaceAll(/wsk_[\dA-Za-z]{49}/g, 'wsk_...')
    .replaceAll(/whsec_[\w+/=]{44}/g, 'whsec_...')
    .replaceAll(/(?<="next":")[\w-]+(?=")/g, 'YStAGjF1efDtNzt6WyIyMDI2LTEwLTA1Il0')
    .replaceAll(/(?<="expiresAt":")[^"]+Z"/g, (time) => (isKnown(`"${time}`) ? time : '2026-11-20T21:00:00.000Z"'))
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]+Z"/g, (time) => (isKnown(time) ? time : '"2026-11-20T09:00:00.000Z"'));

it.each(examples)(
  '%s, %s, is answered as the description shows (UPDATE_EXAMPLES=1 renews it)',
  async (name, title, example, endpoint) => {
    const method = example.method ?? endpoint.methods[0];
    const isInQuery = endpoint.keyIn.join() === 'query';
    let answer = await run(example, method, endpoint.path, isInQuery);
    expect([200, 201, 204]).toContain(answer.status);
    // The pieces of a reply depend on timing. A replay has one piece.
    if (endpoint.responseMode === 'streamed') answer = await run(example, method, endpoint.path, isInQuery);
    const text = scrubbed(answer.text);
    const body = answer.json === undefined ? text : JSON.parse(text);
    found[name] = { ...found[name], [title]: { status: answer.status, ...(answer.status !== 204 && { body }) } };
    if (mayWrite) writeFileSync(capturedFile, `${JSON.stringify(found, undefined, 2)}\n`);
    else expect(found[name]?.[title]).toEqual(captured[name]?.[title]);
  },
);

it('the captured responses are those of the examples, and no others', () => {
  const names = (all: Record<string, object>) => Object.entries(all).map(([name, own]) => [name, Object.keys(own)]);
  if (!mayWrite) expect(names(captured)).toEqual(names(found));
});
