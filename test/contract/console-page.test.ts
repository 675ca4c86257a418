import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pressStyle } from '#lib/console/files.ts';
import { call } from '#test/support/call.ts';

const policyOf = async (): Promise<Map<string, string>> => {
  const { headers } = await call('GET /console');
  return new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
};

describe('GET /console', () => {
  it('answers a page without a key, which browsers revalidate every time', async () => {
    const { status, headers, text } = await call('GET /console');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/https?:|\/\/|<script>|\son[a-z]+=|style=/);
  });

  it('links only files that exist', async () => {
    const { text } = await call('GET /console');
    const files = [...text.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, path]) => path);
    expect(files).toHaveLength(3);
    for (const path of files) expect((await call(`GET /${path}`)).status).toBe(200);
  });

  it('has a policy that allows only this service and its bucket', async () => {
    const policy = await policyOf();
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'form-action': "'self'",
      'base-uri': "'none'",
      'frame-ancestors': "'none'",
    });
    const bucket = new URL(process.env['AWS_ENDPOINT_URL_S3'] ?? '').origin;
    expect(policy.get('connect-src')).toBe(`'self' ${bucket}`);
    expect(policy.get('img-src')).toBe(`'self' data: blob: ${bucket}`);
  });

  it('allows the one style element of the installed version of React Aria', async () => {
    const library = dirname(createRequire(import.meta.url).resolve('react-aria/package.json'));
    const source = readFileSync(join(library, 'dist/private/interactions/usePress.mjs'), 'utf8');
    const written = /style\.textContent = `([^`]*)`\.trim\(\)/.exec(source)?.[1] ?? '';
    const attribute = /PRESSABLE_ATTRIBUTE = '([^']+)'/.exec(source)?.[1] ?? '';
    const style = written.replaceAll(/\$\{[^}]+\}/g, attribute).trim();
    expect(pressStyle).toBe(style);
    const hash = createHash('sha256').update(style).digest('base64');
    expect((await policyOf()).get('style-src')).toBe(`'self' 'sha256-${hash}'`);
  });
});
