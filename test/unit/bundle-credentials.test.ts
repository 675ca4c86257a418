import { afterEach, expect, it } from '@jest/globals';
import { defaultProvider } from '#lib/bundle/shims/credentials.ts';

const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

const role = { AWS_ACCESS_KEY_ID: 'of-the-role', AWS_SECRET_ACCESS_KEY: 'secret' };

it('the bundle gives a function the credentials that are in its environment', async () => {
  Object.assign(process.env, role, { AWS_SESSION_TOKEN: 'token' });
  expect(await defaultProvider()()).toEqual({
    accessKeyId: 'of-the-role',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  });
});

it('the bundle needs no session token, but every other credential', async () => {
  Object.assign(process.env, role);
  delete process.env['AWS_SESSION_TOKEN'];
  expect(await defaultProvider()()).toEqual({ accessKeyId: 'of-the-role', secretAccessKey: 'secret' });
  for (const name of Object.keys(role)) {
    Object.assign(process.env, role, { [name]: '' });
    await expect(defaultProvider()()).rejects.toThrow('has no credentials');
  }
});
