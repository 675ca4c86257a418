import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { capturedLines } from '#test/support/log-capture.ts';
import { openSignIns } from '#test/support/sign-in.ts';
import { timed } from '#test/support/spent-time.ts';
import { StubIssuer } from '#test/support/stub-issuer.ts';

await openSignIns();
const issuer = await StubIssuer.start();
Object.assign(process.env, issuer.environment);
afterEach(() => issuer.heal());
afterAll(() => issuer.stop());

const says = (status: number, type: string, body: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': type }).end(body);
const faults: readonly [string, (response: ServerResponse) => unknown][] = [
  ['answers 500', says(500, 'text/html', '<h1>secret-words</h1>')],
  ['answers 429', says(429, 'application/json', '{"error":"slow_down","error_description":"secret-words"}')],
  ['answers 401', says(401, 'application/json', '{"error":"invalid_client","error_description":"secret-words"}')],
  ['answers 200 with HTML', says(200, 'text/html', '<h1>secret-words</h1>')],
  ['answers broken JSON', says(200, 'application/json', '{"id_token":')],
  ['answers an empty object', says(200, 'application/json', '{}')],
  ['answers nothing', says(200, 'application/json', '')],
  ['redirects', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['resets the connection', (response) => response.socket?.resetAndDestroy()],
  ['breaks off in the middle', (response) => response.write('{"id_token":', () => response.socket?.destroy())],
  ['hangs', () => undefined],
  ['stalls in the middle', (response) => response.write('{"id_token":')],
];

describe('an issuer whose token endpoint', () => {
  it.each(faults)('%s causes a redirect to the page of this error, in bounded time', async (_, fault) => {
    issuer.faults = { token: fault };
    const { result: lines, waited } = await timed(() => capturedLines(() => issuer.expectFailure('unavailable')));
    expect(waited).toBeLessThan(9_000);
    expect(lines.join('\n')).not.toMatch(/secret-words|a-code/);
  });
});

describe('an issuer whose key endpoint', () => {
  it.each(faults)('%s causes a redirect to the page of this error, in bounded time', async (_, fault) => {
    issuer.faults = { jwks: fault };
    const lines = await capturedLines(() => issuer.expectFailure('unavailable'));
    expect(lines.join('\n')).not.toMatch(/secret-words|a-code/);
  });
});

it('the callback works as soon as the issuer does, and then reads no cached keys', async () => {
  expect((await issuer.signIn()).headers['location']).toBe('/console');
  issuer.faults = { jwks: (response) => response.writeHead(500).end() };
  expect((await issuer.signIn()).headers['location']).toBe('/console');
});
