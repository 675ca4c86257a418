import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Permission } from '#lib/domain/access/permission.ts';
import { LocalService, runWorkspace } from '#test/support/processes.ts';

/** A PNG. The content decides the type of an image, not its name. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Fails at the first status that is an error. */
const curl = 'curl() { command curl -sS --fail-with-body --max-time 60 "$@"; echo; }';

const root = resolve(import.meta.dirname, '../..');
const siteKey = 'saffron-site-key-0000000000';
let service: LocalService;

beforeAll(async () => {
  service = await LocalService.start();
});
afterAll(() => service.stop());

const start = (program: string, args: readonly string[], environment: Record<string, string> = {}) =>
  spawn(program, args, {
    cwd: root,
    env: { ...process.env, API_URL: service.url, API_KEY: siteKey, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function run(program: string, ...args: string[]) {
  return endOf(start(program, args));
}

async function endOf(child: ReturnType<typeof start>) {
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, errors };
}

async function keyOfManager(): Promise<string> {
  const permissions = Permission.options.flatMap((permission) => ['--permission', permission]);
  const owner = ['--workspace', 'ws_saffron', '--member', 'mem_sara', '--name', 'Manager'];
  const { out } = await runWorkspace(['key', 'create', ...owner, ...permissions, '--url', service.url]);
  return /\bwsk_\w+/.exec(out)?.[0] ?? '';
}

const example = (name: string) => join(import.meta.dirname, name);

describe('the examples', () => {
  it('call the endpoints of the top README with curl', async () => {
    const { code, out, errors } = await run('sh', example('calls.sh'));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toContain('"mentor":{"id":');
    expect(out).toContain('"en":"Noura"');
    expect(out).toContain('{"message":"Submited form successfully."}');
    expect(out).toContain('\nHello\n');
    expect(out).toMatch(/data: \{"type":"done"/);
  });

  it('read the menu and answer a form in Python', async () => {
    const { code, out, errors } = await run('python3', example('menu.py'));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/^Lamb chops: 96$/m);
    expect(out.split('\n').length).toBeGreaterThan(30);
    expect(out).toMatch(/^Submited form successfully\.$/m);
  });

  it('contain a repeatable point of sale in Python that marks dishes as sold out and changes prices', async () => {
    const { out: made } = await runWorkspace([
      'key',
      'create',
      '--workspace',
      'ws_saffron',
      '--name',
      'Till',
      '--url',
      service.url,
      '--permission',
      'menu:product:manage',
    ]);
    const key = /\bwsk_\w+/.exec(made)?.[0] ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'prices-'));
    const prices = join(folder, 'prices.csv');
    const sell = async (...args: string[]) => {
      return endOf(start('python3', [example('point_of_sale.py'), ...args], { API_KEY: key }));
    };
    try {
      await writeFile(prices, 'slug,price\nlamb-kabsa,59.50\nshakshuka,29\n');
      for (const _ of ['first', 'again']) {
        expect(await sell('soldout', 'shakshuka')).toMatchObject({ code: 0, errors: '' });
      }
      expect((await sell('prices', prices)).out).toBe('lamb-kabsa: now 59.5\nshakshuka: unchanged\n');
      expect((await sell('prices', prices)).out).toBe('lamb-kabsa: unchanged\nshakshuka: unchanged\n');
      const address = `${service.url}/api/public/menu/products?ids=prod_shakshuka,prod_lamb_kabsa&apiKey=${siteKey}`;
      const { data } = (await (await fetch(address)).json()) as { data: { slug: string; soldout: boolean }[] };
      expect(data).toContainEqual(expect.objectContaining({ slug: 'shakshuka', soldout: true }));
      expect(data).toContainEqual(
        expect.objectContaining({
          slug: 'lamb-kabsa',
          priceOptions: expect.arrayContaining([expect.objectContaining({ price: 59.5 })]),
        }),
      );
      expect(await sell('soldout', 'no-such-dish')).toMatchObject({ code: 1 });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('contain a website in JavaScript that keeps its key secret', async () => {
    const child = start(process.execPath, [example('website.js')], { PORT: '0' });
    try {
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      const open = async (path: string) => {
        const response = await fetch(`${String(line).trim()}${path}`);
        const html = await response.text();
        expect(html).not.toContain(siteKey);
        return { status: response.status, html };
      };
      for (const _ of ['read', 'unchanged']) {
        expect((await open('/')).html).toContain('<h1>Home</h1>');
        expect((await open('/en/menu')).html).toContain('<h2 id="grill">Charcoal grill</h2>');
        expect((await open('/ar/menu')).html).toMatch(/dir="rtl"[\s\S]*<h2 id="breakfast">الفطور<\/h2>/);
        expect((await open('/en/blog')).html).toContain('/en/blog/choosing-saffron">How to choose saffron<');
        const { html } = await open('/en/blog?q=SAFFRON');
        expect(html).toContain('How to choose saffron');
        expect(html.split('<li>').length).toBeLessThan((await open('/en/blog')).html.split('<li>').length);
        expect((await open('/ar/blog/choosing-saffron')).html).toContain('<h1>كيف تختار الزعفران</h1>');
      }
      // A draft, and an unknown page.
      for (const path of [
        '/en/blog/winter-menu',
        '/en/blog/nothing',
        '/en/blog/%20',
        '/en/blog/%E0',
        '/nothing',
        '/en/menu/a/b',
      ]) {
        expect([path, (await open(path)).status]).toEqual([path, 404]);
      }
    } finally {
      child.kill();
    }
  });

  it('open the sessions of the chat on their pages in JavaScript', async () => {
    const chatKey = 'saffron-desk-key-0000000000';
    const child = start(process.execPath, [example('website.js')], {
      PORT: '0',
      CHAT_KEY: chatKey,
      SITE_HOST: 'saffron.example',
    });
    try {
      const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
      const site = String(line).trim();
      const html = await (await fetch(`${site}/ar`)).text();
      expect(html).toContain(`src="${service.url}/widget.js" data-session="/chat-session" data-language="ar" defer>`);
      expect(html).not.toContain(chatKey);
      const ask = async (body: string, type = 'application/json') => {
        const headers = { 'content-type': type };
        const response = await fetch(`${site}/chat-session`, { method: 'POST', headers, body });
        return { status: response.status, json: await response.json().catch(() => undefined) };
      };
      const made = await ask('{}');
      expect(made).toMatchObject({ status: 201, json: { agentId: 'agent_saffron' } });
      const { token, conversationId } = made.json as { token: string; conversationId: string };
      expect(await ask(JSON.stringify({ renew: token }))).toMatchObject({ status: 201, json: { conversationId } });
      expect((await ask(JSON.stringify({ renew: `wst_${'a'.repeat(43)}` }))).status).toBe(404);
      expect((await ask('{}', 'text/plain')).status).toBe(400);
      expect((await ask(JSON.stringify({ renew: 'x'.repeat(10_001) }))).status).toBe(413);
    } finally {
      child.kill();
    }
  });
});

describe('the code of a README', () => {
  it('the code of the pages of the client runs unchanged', async () => {
    const pages = ['README', 'calls', 'management'].map((name) => `lib/client/${name}.md`);
    const code = pages.flatMap((page) => blocksOf(page, 'ts')).join('\n');
    const folder = join(root, '.build/readme');
    const file = join(folder, `client-${process.pid}.ts`);
    await mkdir(folder, { recursive: true });
    try {
      await writeFile(file, onThisService(code));
      const child = start(process.execPath, [file], { ADMIN_KEY: await keyOfManager() });
      const { code: exitCode, out, errors } = await endOf(child);
      expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
      expect(out).toContain("'name TEXT'");
      expect(out).toContain('Hello\n');
      expect(out).toContain('email');
      expect(out).toContain('58 SAR');
      expect(out).toMatch(/^200 undefined\n204 undefined$/m);
      expect(out).toContain('invite mem_');
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
      for (const name of ['README.md', 'menu.pdf']) await writeFile(join(folder, name), 'content');
      await writeFile(join(folder, 'photo.jpg'), Buffer.from(onePixel, 'base64'));
      const npm = `npm() { (cd '${root}' && command npm "$@"); }`;
      const { code, out, errors } = await run('sh', '-euc', `cd '${folder}'\n${curl}\n${npm}\n${onThisService(block)}`);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(out).not.toContain('"type":"error"');
      if (block.includes('ai-stream')) expect(out).toContain('"type":"done"');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('functions/managing.md: its calls succeed in their order', async () => {
    const calls = blocksOf('functions/managing.md', 'sh').join('\n');
    const { code, out, errors } = await run('sh', '-euc', `${curl}\n${onThisService(calls)}`);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toMatch(/"id":"oud-night","modelId":"events","published":true/);
    expect(out).toMatch(/\{"results":\[\{"status":200,[^{]*\{"status":204,/);
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
