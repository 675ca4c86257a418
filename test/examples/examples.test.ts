import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

describe('the code of a README', () => {
  it('of the client calls every endpoint, as it stands', async () => {
    const code = blocksOf('lib/client/README.md', 'ts').join('\n');
    const folder = join(root, '.build/readme');
    const file = join(folder, `client-${process.pid}.ts`);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(file, onThisService(code));
      const { code: exitCode, out, errors } = await run(process.execPath, file);
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
      expect(out).toContain("'name TEXT'");
      expect(out).toContain('Hello\n');
      expect(out).toContain('email');
      expect(out).toContain('58 SAR');
    } finally {
      await rm(file);
    }
  });

  const pages = ['README.md', ...globSync('{functions,lib}/**/README.md', { cwd: root })];
  const calls = pages.flatMap((page) =>
    blocksOf(page, 'sh')
      .filter((block) => /^(?:#|curl)/.test(block) && block.includes('http://127.0.0.1:3000') && !block.includes('<'))
      .map((block, index) => ({ page, number: index + 1, block })),
  );

  it.each(calls)('$page: its calls by curl, block $number, succeed', async ({ block }) => {
    const folder = await mkdtemp(join(tmpdir(), 'readme-'));
    try {
      for (const name of ['README.md', 'menu.pdf', 'photo.jpg']) await writeFile(join(folder, name), 'content');
      const curl = 'curl() { command curl -sS --fail-with-body --max-time 60 "$@"; echo; }';
      const { code, out, errors } = await run('sh', '-euc', `cd '${folder}'\n${curl}\n${onThisService(block)}`);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(out).not.toContain('"type":"error"');
      if (block.includes('ai-stream')) expect(out).toContain('"type":"done"');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has calls by curl on at least seven pages', () => {
    expect(new Set(calls.map(({ page }) => page)).size).toBeGreaterThanOrEqual(7);
  });
});

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
}

const onThisService = (code: string): string => code.replaceAll('http://127.0.0.1:3000', service.url);
