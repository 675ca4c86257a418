import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newSecret } from '#lib/table/access/new-secret.ts';
import { call } from '#test/support/call.ts';
import { type CommandResult, Engines, runCommandLine } from '#test/support/command-line.ts';
import { asLines, withoutTime } from '#test/support/document-text.ts';
import { everyKind, newWorkspaceId, siteSecret, withDraftsShown } from '#test/support/every-kind.ts';
import { openOwnTable } from '#test/support/own-table.ts';
import { runWorkspace } from '#test/support/processes.ts';
import { type Document, storeWorkspace } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
let folder: string;
let service: Engines;

const run = (...args: string[]): Promise<CommandResult> => runCommandLine([...args, '--url', service.url]);
const inFolder = (name: string): string => join(folder, name);

async function fileOf(name: string, content: unknown): Promise<string> {
  await writeFile(inFolder(name), typeof content === 'string' ? content : JSON.stringify(content));
  return inFolder(name);
}

const small = (id: string, rest: Document = {}): Document => ({
  version: 1,
  workspace: { id, name: `Name of ${id}`, languages: ['en', 'ar'], defaultLanguage: 'en' },
  ...rest,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workspace-command-'));
  await openOwnTable();
  await storeWorkspace(everyKind(workspaceId));
  service = await Engines.open();
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

describe('import', () => {
  it('reports its changes, and shows its progress separately', async () => {
    const id = newWorkspaceId();
    const document = withDraftsShown(everyKind(id));
    const file = await fileOf('new.json', document);
    const counts = 'workspace 1, member 2, apiKey 3, cmsModel 2, cmsEntry 5, menuCategory 2, menuProduct 3, form 2';
    const { code, out, errors } = await run('import', file);
    expect([code, errors.split('\n')]).toEqual([
      0,
      [
        `Checking ${file}`,
        'Importing 32 records',
        'warning: The secrets of 3 keys were not made by this service: key_site, key_lina, key_old. If a person made them up, others can guess them; "key rotate" replaces them by random ones.',
        '',
      ],
    ]);
    expect(out).toMatch(new RegExp(`^Imported workspace ${id}: 32 changes in 32 records \\(${counts}, .+\\)\\.\n$`));
    expect((await run('import', file)).out).toMatch(`Imported workspace ${id}: 0 changes in 32 records (`);
    const again = await run('import', await fileOf('new.ndjson', asLines(document)), '--prune');
    expect(again.out).toMatch(`Imported workspace ${id}: 0 changes in 32 records (`);
    const { json } = await call('GET /api/public/cms/dishes/list', { key: siteSecret(id) });
    expect(json).toHaveLength(5);
  });

  it('shows a generated secret one time', async () => {
    const file = await fileOf('made.json', small(newWorkspaceId(), { apiKeys: [{ id: 'key_1', name: 'Site' }] }));
    const first = await run('import', file);
    expect(first.out).toMatch(/^Key key_1 \(Site\)\. Its secret, shown this once:\nwsk_\w{49}\nImported .+\n$/);
    expect((await run('import', file)).out).not.toContain('wsk_');
    expect(first.errors).not.toContain('warning');
  });

  it('warns of a secret that the service did not generate, and of no other', async () => {
    const keysWith = (secret: (index: number) => string, count: number) =>
      Array.from({ length: count }, (_, number) => ({ id: `key_${number}`, name: 'Site', secret: secret(number) }));
    const id = newWorkspaceId();
    const made = await fileOf('own.json', small(id, { apiKeys: keysWith(() => newSecret(), 2) }));
    expect((await run('import', made)).errors).not.toContain('warning');
    const given = small(id, { apiKeys: keysWith((number) => `the-secret-of-${id}-${number}`, 7) });
    const { code, out, errors } = await run('import', await fileOf('given.json', given));
    expect(code).toBe(0);
    expect(errors).toContain(
      'warning: The secrets of 7 keys were not made by this service: key_0, key_1, key_2, key_3, key_4, 2 more.',
    );
    expect(out + errors).not.toContain('the-secret-of');
  });

  it('lists all failures with kind, id, path and message, and imports nothing', async () => {
    const id = newWorkspaceId();
    const document = everyKind(id);
    document.cms.entries[0].values.amount = 'many';
    document.menu.products[1].categoryId = 'cat_gone';
    delete document.forms[0].slug;
    const file = await fileOf('failing.json', document);
    const { code, out, errors } = await run('import', file);
    expect([code, out]).toEqual([1, '']);
    expect(errors.split('\n')).toEqual([
      `Checking ${file}`,
      `Nothing was imported: ${file} has 3 failures.`,
      '  cmsEntry dishes/dish_1 values.amount: Must be a number. (type)',
      '  menuProduct prod_2 categoryId: Must be the id of a menu category; there is no cat_gone. (not_found)',
      '  form form_1 slug: Is required and must be a string. (required)',
      '',
    ]);
    expect((await run('list')).out).not.toContain(id);
  });

  it('names the line of an invalid record, and the number of records in words', async () => {
    const { version, workspace } = small(newWorkspaceId());
    const first = JSON.stringify({ kind: 'workspace', version, ...workspace });
    const lines = await fileOf('lines.ndjson', `${first}\r\n{"kind":"form","id"\r\n{"kind":"pizza","id":"p"}\r\n`);
    const { code, out, errors } = await run('import', lines);
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain('  document line 2: Must be JSON; the error is at column 21. (syntax)\n');
    expect(errors).toContain('  document line 3 kind: Must be one of workspace, member,');
    const alone = await run('import', await fileOf('alone.ndjson', `\ufeff${first}\r\n`));
    expect([alone.code, alone.errors]).toEqual([0, expect.stringMatching(/\nImporting 1 record\n$/)]);
  });

  it('undoes or keeps an edit only if the options say so', async () => {
    const id = newWorkspaceId();
    const file = await fileOf('edited.json', everyKind(id));
    await run('import', file);
    expect((await run('key', 'revoke', 'key_site', '--workspace', id)).code).toBe(0);
    const edit = expect.stringMatching(/\n {2}apiKey key_site, changed 2\S+Z\n$/);
    expect(await run('import', file, '--dry-run')).toMatchObject({ code: 0, out: edit });
    const keeping = expect.stringMatching(/ It would keep 1 edit:\n {2}apiKey key_site, changed 2\S+Z\n$/);
    expect(await run('import', file, '--dry-run', '--keep-edits')).toMatchObject({ code: 0, out: keeping });
    const refused = await run('import', file);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.errors).toMatch(/Nothing was imported\. The import would undo 1 edit .+ --yes .+ --keep-edits /);
    const kept = await run('import', file, '--keep-edits');
    expect([kept.code, kept.out]).toEqual([0, expect.stringMatching(/^Kept 1 edit\.\nImported .+: 0 changes /)]);
    expect((await run('import', file, '--yes')).out).toMatch(/^Undid 1 edit\.\nImported .+: 1 change /);
    expect((await run('import', file)).out).toMatch(/^Imported .+: 0 changes /);
  });

  it('groups failures with the same reason, and lists all of them with --all', async () => {
    const document = everyKind(newWorkspaceId());
    document.menu.categories = Array.from({ length: 30 }, (_, index) => ({
      id: `c${index}`,
      slug: `c${index}`,
      order: 1,
      name: { en: 'Name' },
    }));
    const file = await fileOf('grouped.json', document);
    const grouped = (await run('import', file)).errors;
    expect(grouped).toContain('(unknown_field, 30 times)\n    menuCategory c0 order\n');
    expect(grouped).toContain('\n    and 10 more\n');
    expect((await run('import', file, '--all')).errors).toContain('\n  menuCategory c29 order: ');
  });

  it('prints warnings beside the result', async () => {
    const document = everyKind(newWorkspaceId());
    document.cms.entries[1].values.next = 'dish_gone';
    const { code, out, errors } = await run('import', await fileOf('warning.json', document));
    expect([code, out]).toEqual([0, expect.stringMatching(/^Imported /)]);
    expect(errors).toContain('\nwarning: cmsEntry dishes/dish_2 values.next: ');
    expect(errors).toMatch(/\n1 warning, listed above: these records were imported as they are\.\n$/);
    const exportedAt = '2026-01-01T00:00:00Z';
    const file = await fileOf('export.json', { ...document, exportedAt });
    expect((await run('import', file, '--dry-run')).errors).toMatch(
      /\n1 warning, listed above: these records would be imported as they are\. The document has exportedAt, so .+\n$/,
    );
  });

  it('reports the planned removals of --prune, and then the removed and remaining records', async () => {
    const document = everyKind(newWorkspaceId());
    const file = await fileOf('whole.json', document);
    expect((await run('import', file, '--prune')).out).not.toContain('Removed');
    const { version, workspace, menu, members } = document;
    const forms = [{ id: 'form_9', slug: 'nine', title: { en: 'Nine' } }];
    const messaging = { conversations: [{ id: 'conv_9' }] };
    const apiKeys = [document.apiKeys[1]];
    const smaller = {
      version,
      workspace,
      members,
      apiKeys,
      forms,
      messaging,
      menu: { ...menu, products: [menu.products[0]] },
    };
    const count = document.menu.products.length - 1;
    const pruned = await fileOf('smaller.json', smaller);
    const dry = await run('import', pruned, '--prune', '--dry-run');
    expect((await run('import', pruned, '--dry-run')).out).not.toContain('Would remove');
    const { code, out } = await run('import', pruned, '--prune');
    const lines = out.split('\n').slice(0, -2);
    expect(dry.code).toBe(0);
    expect(dry.out.split('\n').slice(1, -1)).toEqual(
      lines.map((line) => line.replace('Removed', 'Would remove').replace(/ stay\b/, ' would stay')),
    );
    expect([code, lines]).toEqual([
      0,
      [
        `Removed what the document does not name: apiKey ${document.apiKeys.length - 1}, menuProduct ${count}, form ${document.forms.length}, conversation 2.`,
        'Responses to the removed forms stay, unless the document has responses.',
        'Messages of the removed conversations stay, unless the document has messages.',
      ],
    ]);
  });

  it.each([
    ['that does not exist', 'missing.json', undefined, 'there is no such file'],
    ['that is a directory', '', undefined, 'it is a directory'],
    ['that is not JSON', 'broken.json', '{"version": 1,', 'The document must be JSON; the error is at line 1, column'],
  ])('reports the problem of a file %s', async (_, name, content, sentence) => {
    if (content !== undefined) await fileOf(name, content);
    const { code, out, errors } = await run('import', inFolder(name));
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain(sentence);
    expect(errors).not.toMatch(/^\s+at /m);
  });
});

it('import refuses a file that can be read only once', async () => {
  const { code, out, errors } = await run('import', '/dev/null');
  expect([code, out]).toEqual([1, '']);
  expect(errors).toContain('it is not a regular file');
});

describe('export', () => {
  it('writes .json and .ndjson to a file that only its owner may read, and .json to standard output', async () => {
    const json = inFolder('out.json');
    const lines = inFolder('out.ndjson');
    const toFile = await run('export', json, '--workspace', workspaceId);
    expect(toFile).toEqual({
      code: 0,
      errors: 'Exporting\n',
      out: `Exported 32 records of ${workspaceId} to ${json}.\n`,
    });
    expect((await stat(json)).mode & 0o777).toBe(0o600);
    const printed = await run('export', '--workspace', workspaceId);
    const out = withoutTime(await readFile(json, 'utf8'));
    expect({ ...printed, out: withoutTime(printed.out) }).toEqual({ code: 0, out, errors: 'Exporting\n' });
    expect((await run('export', lines, '--workspace', workspaceId)).code).toBe(0);
    for (const file of [json, lines]) expect((await run('import', file)).out).toContain(': 0 changes in 32 records (');
    expect((await readFile(lines, 'utf8')).trimEnd().split('\n')).toHaveLength(32);
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('leaves the old file unchanged when it fails, and prints nothing', async () => {
    const file = await fileOf('kept.json', 'kept');
    const failure = { code: 1, out: '', errors: 'Exporting\nThere is no workspace ws_gone.\n' };
    expect(await run('export', file, '--workspace', 'ws_gone')).toEqual(failure);
    expect(await readFile(file, 'utf8')).toBe('kept');
    expect(await run('export', '--workspace', 'ws_gone')).toEqual(failure);
  });

  it('reports that a file cannot be written', async () => {
    const file = join(folder, 'no-such-directory', 'out.json');
    expect(await run('export', file, '--workspace', workspaceId)).toEqual({
      code: 1,
      out: '',
      errors: `Exporting\nThe file ${file} cannot be written: its directory does not exist.\n`,
    });
  });
});

describe('list', () => {
  it('names every workspace with its languages', async () => {
    const id = newWorkspaceId();
    await run('import', await fileOf('listed.json', small(id)));
    const { code, out, errors } = await run('list');
    expect([code, errors]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toContain(`${workspaceId}  Saffron  en,ar`);
    expect(lines).toContain(`${id}  Name of ${id}  en,ar`);
    expect(lines).toEqual(lines.toSorted());
  });

  it('escapes control characters of a name', async () => {
    const id = newWorkspaceId();
    const document = small(id);
    document.workspace.name = 'a\u001b[2J\nws_forged  b';
    await run('import', await fileOf('control.json', document));
    expect((await run('list')).out).toContain(`${id}  a\\u001b[2J\\u000aws_forged  b  en,ar\n`);
  });

  // A device of Linux that is always full.
  (existsSync('/dev/full') ? it : it.skip)('fails when its result cannot be written', async () => {
    const full = openSync('/dev/full', 'w');
    const program = ['bin/workspace.ts', 'list', '--url', service.url];
    const child = spawn(process.execPath, program, { stdio: ['ignore', full, 'pipe'] });
    const [errors, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
    closeSync(full);
    expect([code, errors]).toEqual([1, 'The result cannot be written: ENOSPC: no space left on device, write.\n']);
  });

  it('ignores the settings for AWS', async () => {
    const environment = {
      AWS_USE_FIPS_ENDPOINT: 'true',
      AWS_PROFILE: 'none',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_REGION: 'eu-west-1',
    };
    const { code, out } = await runWorkspace(['list', '--url', service.url], environment);
    expect([code, out]).toEqual([0, expect.stringContaining(workspaceId)]);
  });
});

describe('another server at the address', () => {
  it.each(['<html>', '{}', '{"dynamodb":{}}'])('is not taken for the local service: %s', async (body) => {
    const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, out, errors } = await runCommandLine(['list', '--url', url]);
    server.close();
    expect([code, out]).toEqual([1, '']);
    expect(errors).toMatch(/^No local service answers at .+\n$/);
  });
});
