import { describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';

describe('GET /docs', () => {
  it('answers a page without a key', async () => {
    const { status, headers, text } = await call('GET /docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toMatch(/^<!doctype html>/);
  });

  it('has a policy that allows only this service', async () => {
    const { headers, text } = await call('GET /docs');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(text).not.toMatch(/https?:|\/\/|<script>|\son[a-z]+=/);
  });

  it('links only files that exist', async () => {
    const { text } = await call('GET /docs');
    const files = [...text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => path);
    expect(files.length).toBeGreaterThanOrEqual(4);
    for (const path of files) expect((await call(`GET /${path}`)).status).toBe(200);
  });

  it('stores no key, and calls no other service', async () => {
    const { text } = await call('GET /docs/start.js');
    expect(text).toContain('persistAuthorization: false');
    expect(text).toContain('validatorUrl: null');
    expect(text).toContain("url: 'openapi.json'");
  });
});
