import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { signatureOf } from '#lib/secrets/own-signature.ts';
import { cookieIn } from '#test/support/browser-steps.ts';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { capturedLines } from '#test/support/log-capture.ts';
import { openSignIns } from '#test/support/sign-in.ts';
import { StubIssuer } from '#test/support/stub-issuer.ts';

const { itIs } = freezeDate();
await openSignIns();
const issuer = await StubIssuer.start();
Object.assign(process.env, issuer.environment);
afterEach(() => issuer.heal());
afterAll(() => issuer.stop());

const path = '/api/v1/session/callback';

/** A login that began here: its state, and its cookie in parts. */
async function begun(): Promise<{ readonly state: string; readonly parts: readonly string[] }> {
  const login = await call('GET /api/v1/session/login?workspaceId=ws_pear');
  const { searchParams } = new URL(login.headers['location'] ?? '');
  const [name = '', value = ''] = cookieIn(login.cookies[0]).split(/=(.*)/s);
  return { state: searchParams.get('state') ?? '', parts: [name, ...value.split('.')] };
}

const cookieOf = ([name, ...parts]: readonly string[]): string => `${name}=${parts.join('.')}`;

/** Expects the page of a failure, no call of the issuer, and no error in the log. */
async function expectQuietFailure(request: string, cookie: string, code = 'expired'): Promise<void> {
  const calls = issuer.calls.length;
  const lines = await capturedLines(async () => {
    const { status, headers } = await call(request, { headers: { cookie } });
    expect([request, status, headers['location']]).toEqual([request, 302, `/console#/sign-in?error=${code}`]);
  });
  expect(issuer.calls.length).toBe(calls);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'info', signInFailure: code }]);
}

describe('the cookie of a login', () => {
  it.each([
    ['state', 2],
    ['nonce', 3],
    ['verifier', 4],
  ])('with another %s is `expired` without a call of the issuer', async (_, index) => {
    const { state, parts } = await begun();
    const other = 'Q'.repeat(43);
    const forged = parts.with(index, other);
    const sent = index === 2 ? other : state;
    await expectQuietFailure(`GET ${path}?code=a&state=${sent}`, cookieOf(forged));
  });

  it('with another workspace, another time or parts of a second login is `expired`', async () => {
    const { state, parts } = await begun();
    const second = await begun();
    const time = Number.parseInt(parts[6] ?? '', 36);
    const forgeries = [
      parts.with(5, 'ws_apple'),
      parts.with(5, ''),
      parts.with(6, (time + 60).toString(36)),
      parts.with(7, second.parts[7] ?? ''),
      parts.with(7, 'A'.repeat(43)),
      parts.with(7, ''),
      parts.slice(0, 7),
      [...parts, 'more'],
    ];
    for (const forged of forgeries) await expectQuietFailure(`GET ${path}?code=a&state=${state}`, cookieOf(forged));
  });

  it('with the signature of another purpose is `expired`', async () => {
    const { state, parts } = await begun();
    const signature = await signatureOf('cursor', parts.slice(1, 7).join('.'));
    await expectQuietFailure(`GET ${path}?code=a&state=${state}`, cookieOf(parts.with(7, signature)));
  });

  it('is `expired` after ten minutes, although a program may keep it for longer', async () => {
    const { state, parts } = await begun();
    itIs(601_000);
    await expectQuietFailure(`GET ${path}?code=a&state=${state}`, cookieOf(parts));
  });
});

describe('a callback that no login caused', () => {
  it.each([
    ['of another issuer', 'code=a&iss=https%3A%2F%2Fevil.example'],
    ['with the answer of another flow', 'code=a&id_token=eyJ'],
    ['with a token', 'code=a&token=x'],
    ['with a signed answer', 'code=a&response=eyJ'],
    ['with two signed answers', 'code=a&response=a&response=b'],
    ['with a code that is too long', `code=${'a'.repeat(5_000)}`],
    ['with a code in another script', 'code=%D8%A7'],
    ['with a control character', 'code=a%00b'],
  ])('%s is `expired` without a call of the issuer', async (_, query) => {
    const { state, parts } = await begun();
    await expectQuietFailure(`GET ${path}?${query}&state=${state}`, cookieOf(parts));
  });

  it('writes no error into the log for an error that anybody can send', async () => {
    for (const error of ['server_error', 'temporarily_unavailable', 'made-up']) {
      const { state, parts } = await begun();
      await expectQuietFailure(`GET ${path}?error=${error}&state=${state}`, cookieOf(parts), 'unavailable');
    }
  });
});

it.each([
  ['with another nonce', { nonce: 'n'.repeat(43) }],
  ['without a nonce', { nonce: undefined }],
])('an ID token %s belongs to another login, and is no error of the service', async (_, claims) => {
  issuer.claims = claims;
  const lines = await capturedLines(() => issuer.expectFailure('expired'));
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['info', 'info']);
});
