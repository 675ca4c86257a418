import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Engines, runCommandLine } from '#test/support/command-line.ts';
import { exportedFromScan } from '#test/support/document-text.ts';
import { openRoom, runAll, traces } from '#test/support/erased-person.ts';
import { openOwnTable } from '#test/support/own-table.ts';

await openOwnTable();
let service: Engines;
let folder: string;

beforeAll(async () => {
  service = await Engines.open();
  folder = await mkdtemp(join(tmpdir(), 'customer-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const run = (args: string, workspaceId: string) =>
  runCommandLine(['customer', ...args.split(' '), '--workspace', workspaceId, '--url', service.url]);
const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id).sort();

describe('customer export', () => {
  it('writes everything that the workspace holds of the person, and nothing of others', async () => {
    const room = await openRoom();
    const { conversationId, file } = await room.visit('crm-zubaydah');
    const { code, out } = await run('export cus_z', room.workspaceId);
    expect(code).toBe(0);
    const document = JSON.parse(out);
    expect(document).toMatchObject({
      workspaceId: room.workspaceId,
      exportedAt: expect.any(String),
      customer: { id: 'cus_z', name: 'zubaydah Qamar', email: 'zubaydah@qamar.example' },
    });
    expect(idsOf(document.conversations)).toEqual(['conv_z', 'conv_z_sub', conversationId].sort());
    expect(document.messages.map(({ text }: { text: string }) => text).sort()).toEqual([
      'Hello zubaydah',
      'I am crm-zubaydah.',
      'Order of zubaydah',
      'zubaydah asks',
    ]);
    expect(document.files.map(({ name }: { name: string }) => name).sort()).toEqual([
      'crm-zubaydah.txt',
      'menu 1.pdf',
      'menu.pdf',
    ]);
    expect(idsOf(document.files)).toContain(file.id);
    expect(idsOf(document.responses)).toEqual(['res_text', 'res_z']);
    expect(out).not.toMatch(/[Yy]usuf|crm-y/);
    const target = join(folder, 'person.json');
    const written = await run(`export cus_z ${target}`, room.workspaceId);
    expect([written.code, written.out]).toEqual([
      0,
      `Exported customer cus_z to ${target}: 3 conversations, 4 messages, 3 files, 2 responses.\n`,
    ]);
    expect({ ...JSON.parse(await readFile(target, 'utf8')), exportedAt: '' }).toEqual({ ...document, exportedAt: '' });
    expect((await stat(target)).mode & 0o777).toBe(0o600);
  });
});

describe('customer erase', () => {
  it('erases the person at once, and says what was removed and what stays', async () => {
    const room = await openRoom();
    await room.visit('crm-zubaydah');
    const asked = await run('erase cus_z', room.workspaceId);
    expect([asked.code, asked.errors]).toEqual([1, 'Add --yes: without a terminal, the command cannot ask.\n']);
    const { code, out } = await run('erase cus_z --yes', room.workspaceId);
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'Erased customer cus_z: 3 conversations, 4 messages, 2 files, 0 responses.',
        'Stays: the file zubaydah-shared (menu.pdf), which another conversation names.',
        'Stays: the response res_text to the form form_1, with the same e-mail address (--responses).',
        'Stays: the response res_z to the form form_1, with the same e-mail address (--responses).',
        '',
      ],
    ]);
    const document = await exportedFromScan(room.workspaceId);
    expect(idsOf(document.messaging.customers)).not.toContain('cus_z');
    expect(idsOf(document.attachments)).toHaveLength(2);
    expect(idsOf(document.formResponses)).toHaveLength(3);
    const events = await room.manage('GET audit-events?recordKind=customers');
    expect(events.json.data).toMatchObject([{ action: 'delete', actor: { type: 'operator' }, requestId: null }]);
  });

  it('also removes the responses with the same address, and a later run of the service finds nothing', async () => {
    const room = await openRoom();
    await room.visit('crm-zubaydah');
    const { code, out } = await run('erase cus_z --responses --yes', room.workspaceId);
    expect([code, out]).toEqual([0, expect.stringMatching(/ 2 responses\.\nStays: the file [^\n]*\n$/)]);
    await runAll();
    expect(await traces(room)).toEqual([]);
  });

  it.each([
    ['erase cus_nobody --yes', 1, 'has no customer cus_nobody'],
    ['export cus_nobody', 1, 'has no customer cus_nobody'],
    ['erase', 2, 'Missing argument: ID'],
    ['erase a#b', 2, 'ID must be an id'],
    ['export cus_z --yes', 2, '--yes'],
    ['erase cus_z one', 2, 'Unexpected argument: one'],
    ['delete cus_z', 2, 'Unknown command: customer delete'],
  ])('%s ends with %i', async (args, code, message) => {
    const room = await openRoom();
    const result = await run(args, room.workspaceId);
    expect([result.code, result.errors]).toEqual([code, expect.stringContaining(message)]);
  });
});
