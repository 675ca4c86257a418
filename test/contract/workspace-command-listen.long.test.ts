import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkspaceClient } from '#lib/client/client.ts';
import { verifyWebhook, type WebhookEvent } from '#lib/client/verify-webhook.ts';
import { Permission } from '#lib/domain/access/permission.ts';
import { runCommandLine } from '#test/support/command-line.ts';
import { everyKind, linaSecret, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { openTarget } from '#test/support/target.ts';
import { WebhookReceiver } from '#test/support/webhook-receiver.ts';

const workspaceId = newWorkspaceId();
const key = linaSecret(workspaceId);
let url: string;
let client: WorkspaceClient;
let receiver: WebhookReceiver;

beforeAll(async () => {
  url = (await openTarget()).url;
  client = new WorkspaceClient({ baseUrl: url, apiKey: key });
  receiver = await WebhookReceiver.start();
  const document = everyKind(workspaceId);
  document.members[0].permissions = Permission.options;
  document.apiKeys[1].permissions = Permission.options;
  document.apiKeys[0].permissions = ['events:event:read', 'menu:product:read'];
  const folder = await mkdtemp(join(tmpdir(), 'listen-'));
  await writeFile(join(folder, 'own.json'), JSON.stringify(document));
  const { code, errors } = await runCommandLine(['import', join(folder, 'own.json'), '--url', url]);
  expect([code, errors]).toEqual([0, expect.any(String)]);
  await rm(folder, { recursive: true });
});

afterAll(() => receiver.stop());

/** `npm run workspace -- webhook listen`, in a process of its own. */
class Listening {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;
  readonly #waiting = new Set<() => void>();

  constructor(...options: string[]) {
    const args = ['bin/workspace.ts', 'webhook', 'listen', '--url', url, ...options];
    this.#child = spawn(process.execPath, args, { cwd: resolve(import.meta.dirname, '../..') });
    this.#closed = once(this.#child, 'close');
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.lines.push(line);
      for (const look of this.#waiting) look();
    });
  }

  /** Resolves with the first line that matches. */
  line(pattern: RegExp): Promise<string> {
    return new Promise((found) => {
      const look = () => {
        const line = this.lines.find((text) => pattern.test(text));
        if (line !== undefined && this.#waiting.delete(look)) found(line);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** @returns the exit code */
  async interrupt(): Promise<unknown> {
    this.#child.kill('SIGINT');
    return (await this.#closed)[0];
  }
}

describe('webhook listen', () => {
  it('forwards each event as a signed request with the record, and goes on after errors', async () => {
    const hook = `http://127.0.0.1:${receiver.port}/hook`;
    const types = 'menu_product.*,menu_category.created,message.created,workspace.updated';
    const listening = new Listening('--key', key, '--forward', hook, '--types', types);
    const secret = await listening.line(/^whsec_/);
    const verified = (index: number): Promise<WebhookEvent> => {
      const { headers, body } = receiver.received[index] as (typeof receiver.received)[number];
      return verifyWebhook(headers, body, secret);
    };

    await client.manage.menuProducts.update('prod_1', { soldout: true });
    expect(await listening.line(/ prod_1 /)).toMatch(
      /^\S+Z {2}menu_product\.availability_changed {2}prod_1 {2}204, \d+ ms$/,
    );
    const { record } = await client.manage.menuProducts.get('prod_1');
    expect(await verified(0)).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'menu_product.availability_changed',
      timestamp: expect.any(String),
      data: {
        workspaceId,
        kind: 'menu-products',
        recordId: 'prod_1',
        changed: ['soldout'],
        actor: { type: 'key', id: 'key_lina', name: 'Desk' },
        record,
      },
    });

    // The receiver fails, and the record is gone before it is read.
    receiver.answer = (_, response) => response.writeHead(500).end();
    const slug = 'kept-for-a-moment';
    await client.manage.menuCategories.create({ id: 'cat_gone', slug, name: { en: 'Gone' } });
    await client.manage.menuCategories.delete('cat_gone');
    expect(await listening.line(/ cat_gone /)).toMatch(/ {2}menu_category\.created {2}cat_gone {2}500, \d+ ms$/);
    expect((await verified(1)).data.recordId).toBe('cat_gone');
    receiver.answer = ({ socket }) => socket.destroy();
    await fetch(`${url}/api/v1/manage/workspace`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"name":"Saffron 2"}',
    });
    expect(await listening.line(/ workspace\.updated /)).toMatch(/ {2}connection, \d+ ms$/);
    expect((await verified(2)).data).toMatchObject({
      kind: 'workspace',
      recordId: workspaceId,
      record: { name: 'Saffron 2' },
    });

    receiver.answer = (_, response) => response.end();
    const talk = await client.conversations.open({ channelId: 'ch_1', customer: { externalId: 'crm-listen' } });
    const sent = await client.conversations.send(talk.id, { senderType: 'customer', text: 'أين طلبي؟' });
    await listening.line(/ message\.created .* 200, /);
    expect((await verified(3)).data).toMatchObject({
      recordId: `${talk.id}/${sent.id}`,
      record: { id: sent.id, text: 'أين طلبي؟' },
    });
    expect(await listening.interrupt()).toBe(0);
    expect(listening.lines).toHaveLength(6);
  });

  const refused = (...options: string[]) =>
    runCommandLine(['webhook', 'listen', '--url', url, '--forward', 'http://127.0.0.1:9', ...options]);

  it.each<[string, () => string[], string]>([
    ['an unknown key', () => ['--key', 'wsk_none'], 'The service answers 401: '],
    ['an unknown type', () => ['--key', key, '--types', 'menu.*'], 'The service answers 400: '],
    ['no right to read the workspace', () => ['--key', siteSecret(workspaceId)], 'Give its id with --workspace.'],
  ])('ends at once for %s', async (_, options, message) => {
    const { code, out, errors } = await refused(...options());
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain(message);
  });

  it('ends at once where no service answers', async () => {
    const { code, errors } = await runCommandLine([
      'webhook',
      'listen',
      '--url',
      'http://127.0.0.1:1',
      '--key',
      'k',
      '--forward',
      'http://127.0.0.1:9',
    ]);
    expect([code, errors]).toEqual([1, expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 does not answer: .+\.\n$/)]);
  });
});
