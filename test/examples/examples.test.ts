import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LocalService } from '#test/support/processes.ts';

const root = resolve(import.meta.dirname, '../..');
const siteKey = 'saffron-site-key-0000000000';
let service: LocalService;

beforeAll(async () => {
  service = await LocalService.start();
}, 60_000);
afterAll(() => service.stop());

const start = (program: string, args: readonly string[], environment: Record<string, string> = {}) =>
  spawn(program, args, {
    cwd: root,
    env: { ...process.env, API_URL: service.url, API_KEY: siteKey, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function run(program: string, ...args: string[]) {
  const child = start(program, args);
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, errors };
}

const example = (name: string) => join(import.meta.dirname, name);

describe('the examples', () => {
  it('with curl call every endpoint', async () => {
    const { code, out, errors } = await run('sh', example('calls.sh'));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toContain('"mentor":{"id":');
    expect(out).toContain('"en":"Noura"');
    expect(out).toContain('{"message":"Submited form successfully."}');
    expect(out).toContain('\nHello\n');
    expect(out).toMatch(/data: \{"type":"done"/);
  });

  it('in Python walk through the menu and answer a form', async () => {
    const { code, out, errors } = await run('python3', example('menu.py'));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/^Lamb chops: 96$/m);
    expect(out.split('\n').length).toBeGreaterThan(30);
    expect(out).toMatch(/^Submited form successfully\.$/m);
  });

  it('in JavaScript are a website that keeps its key to itself', async () => {
    const child = start(process.execPath, [example('website.js')], { PORT: '0' });
    try {
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      for (const _ of ['read', 'unchanged']) {
        const html = await (await fetch(String(line).trim())).text();
        expect(html).toContain('<h2>Charcoal grill</h2>');
        expect(html).not.toContain(siteKey);
      }
    } finally {
      child.kill();
    }
  });
});

describe('the README', () => {
  it('has a client example of every endpoint that works as it stands', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    const folder = join(root, '.build/readme');
    const file = join(folder, `client-${process.pid}.ts`);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(file, blocks.join('\n').replaceAll('http://127.0.0.1:3000', service.url));
      const { code, out, errors } = await run(process.execPath, file);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(out).toContain("'name TEXT'");
      expect(out).toContain('Hello\n');
      expect(out).toContain('email');
      expect(out).toContain('58 SAR');
    } finally {
      await rm(file);
    }
  });
});
