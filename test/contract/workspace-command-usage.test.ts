import { describe, expect, it } from '@jest/globals';
import { defaultPermissions } from '#lib/domain/access/permission.ts';
import { UsageError } from '#lib/workspace/command/arguments.ts';
import { parseCommandLine } from '#lib/workspace/command/command-line.ts';
import { documentSchema } from '#lib/workspace/document-schema.ts';
import { runCommandLine } from '#test/support/command-line.ts';
import { runWorkspace } from '#test/support/processes.ts';

const words = (line: string): string[] => line.split(' ').filter(Boolean);
const nowhere = 'http://127.0.0.1:1';

describe('a command line that cannot be understood', () => {
  it.each([
    ['', 'Name a command.'],
    ['imprt x', 'There is no command imprt.'],
    ['key', 'There is no command key.'],
    ['key make --workspace w', 'There is no command key make.'],
    ['key --workspace w', 'There is no command key.'],
    ['toString', 'There is no command toString.'],
    ['import', 'Name a FILE to import.'],
    ['import a b', 'There is a word too many: b.'],
    ['import -', 'FILE must be a file, not standard input: a document is read more than once.'],
    ['import a --force', "Unknown option '--force'"],
    ['import a --prune=yes', 'does not take an argument'],
    ['export', 'Name --workspace.'],
    ['export - --workspace w', 'Leave FILE out to write to standard output; name ./- for a file of this name.'],
    ['export --workspace', "Option '--workspace <value>' argument missing"],
    ['export --workspace=', '--workspace must not be empty.'],
    ['export a b --workspace w', 'There is a word too many: b.'],
    ['export --workspace a#b', '--workspace must be the id of a workspace, not a#b.'],
    ['key create --workspace w', 'Name --name.'],
    ['key create --name n', 'Name --workspace.'],
    [
      'key create --workspace w --name n --permission cms:entry:write',
      'There is no permission cms:entry:write; there are cms',
    ],
    ['key create --workspace w --name n --expires soon', '--expires must be a day such as'],
    ['key create --workspace w --name n --expires 2027-02-30', '--expires must be a day such as'],
    ['key create --workspace w --name n --expires 2999-01-01T00:00:00', '--expires must be a day such as'],
    ['key create --workspace w --name n --expires 2020-01-01', '--expires must be in the future, not 2020-01-01.'],
    [
      'key create --workspace w --name n --expires 9999-12-31T23:59:59-12:00',
      '--expires must be before the year 10000',
    ],
    ['key create --workspace w --name n --member a/b', '--member must be an id, not a/b.'],
    ['key create extra --workspace w --name n', 'There is a word too many: extra.'],
    ['key list', 'Name --workspace.'],
    ['key revoke --workspace w', 'Name a KEY.'],
    ['key revoke a/b --workspace w', 'KEY must be an id, not a/b.'],
    ['key revoke k', 'Name --workspace.'],
    ['key rotate --workspace w', 'Name a KEY.'],
    ['key rotate k --workspace w --grace 1', '--grace must be a time such as 30m, 24h or 7d, not 1.'],
    ['key rotate k --workspace w --grace -1h', 'argument is ambiguous'],
    ['key rotate k --workspace w --grace 9999999h', '--grace must be a time such as'],
    ['key rotate k --workspace w --grace 169h', '--grace must be at most 7d, not 169h.'],
    ['key rotate k --workspace w --grace 8d', '--grace must be at most 7d, not 8d.'],
    ['key rotate k --workspace w --grace 604801s', '--grace must be at most 7d, not 604801s.'],
    ['member', 'There is no command member.'],
    ['member invite --email a@b.example', 'Name --workspace.'],
    ['member invite --workspace w', 'Name --email.'],
    ['member invite --workspace w --email nobody', '--email must be an e-mail address, not nobody.'],
    ['member invite --workspace w --email a@b.example --permission all', 'There is no permission all; there are cms'],
    ['member invite --workspace w --email a@b.example --table t', 'Name --stack instead of --table'],
    ['list all', 'There is a word too many: all.'],
    ['list --prune', "Unknown option '--prune'"],
    ['list --url here', '--url must be an address such as http://127.0.0.1:3000, not here.'],
    ['list --url localhost:3000', '--url must be an address such as'],
    ['list --data a --stack b', 'Name one of --url, --data, --stack and --table.'],
    ['list --stack a --table b', 'Name one of --url, --data, --stack and --table.'],
    ['list --data=', '--data must not be empty.'],
    ['schema all', 'There is a word too many: all.'],
    ['schema --stack a', "Unknown option '--stack'"],
  ])('%s', (line, message) => {
    expect(() => parseCommandLine(words(line))).toThrow(UsageError);
    expect(() => parseCommandLine(words(line))).toThrow(message);
  });

  it.each(['', 'list --data a --stack b'])('shows the usage and ends with 2: %s', async (line) => {
    const { code, out, errors } = await runWorkspace(words(line));
    expect([code, out]).toEqual([2, '']);
    expect(errors).toMatch(/^(Name|There) .+\.\n\nUsage: npm run workspace -- <command> \[options\]\n/);
  });
});

describe('a command line', () => {
  it.each([
    ['import a.json --prune', { name: 'import', file: 'a.json', prune: true }],
    ['import a.json', { name: 'import', file: 'a.json', prune: false }],
    ['export --workspace w', { name: 'export', file: undefined, workspaceId: 'w' }],
    ['export a.ndjson --workspace w', { name: 'export', file: 'a.ndjson', workspaceId: 'w' }],
    ['key list --workspace w', { name: 'key list', workspaceId: 'w' }],
    ['key revoke k --workspace w', { name: 'key revoke', workspaceId: 'w', keyId: 'k' }],
    ['key rotate k --workspace w', { name: 'key rotate', workspaceId: 'w', keyId: 'k', graceMilliseconds: 0 }],
    ['key rotate k --workspace w --grace 90s', { graceMilliseconds: 90_000 }],
    ['key rotate k --workspace w --grace 30m', { graceMilliseconds: 1_800_000 }],
    ['key rotate k --workspace w --grace 24h', { graceMilliseconds: 86_400_000 }],
    ['key rotate k --workspace w --grace 7d', { graceMilliseconds: 604_800_000 }],
    [
      'key create --workspace w --name n',
      { key: { name: 'n', memberId: null, permissions: defaultPermissions, expiresAt: null } },
    ],
    [
      'key create --workspace w --name n --member m --permission cms:entry:read --permission menu:product:read --expires 2999-01-31',
      {
        key: {
          name: 'n',
          memberId: 'm',
          permissions: ['cms:entry:read', 'menu:product:read'],
          expiresAt: '2999-01-31T00:00:00.000Z',
        },
      },
    ],
    [
      'key create --workspace w --name n --permission cms:entry:read --permission cms:entry:read',
      { key: { name: 'n', memberId: null, permissions: ['cms:entry:read'], expiresAt: null } },
    ],
    [
      'key create --workspace w --name n --expires 2999-01-31T01:30+03:00',
      { key: { name: 'n', memberId: null, permissions: defaultPermissions, expiresAt: '2999-01-30T22:30:00.000Z' } },
    ],
    ['list', { name: 'list', target: { url: 'http://127.0.0.1:3000' } }],
    ['list --data d', { target: { data: 'd', url: 'http://127.0.0.1:3000' } }],
    ['list --url http://[::1]:80', { target: { url: 'http://[::1]:80' } }],
    ['list --stack s', { target: { stack: 's' } }],
    ['list --table t', { target: { table: 't' } }],
  ])('%s', (line, command) => {
    expect(parseCommandLine(words(line))).toMatchObject(command);
  });

  it('that asks for help gets the usage as its result', async () => {
    const { code, out, errors } = await runCommandLine(['import', '--help']);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/^Usage: npm run workspace -- <command> \[options\]\n/);
  });

  it('that asks for the schema of a document gets it without a service', async () => {
    const { code, out, errors } = await runCommandLine(['schema']);
    expect([code, errors]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual(documentSchema());
  });
});

describe('a service that is not there', () => {
  it('is one sentence for every command', async () => {
    const results = await Promise.all(
      ['list', 'key list --workspace w', 'import no-such-file.json', 'export --workspace w'].map((line) =>
        runCommandLine([...words(line), '--url', nowhere]),
      ),
    );
    const errors = `No local service answers at ${nowhere}. Start it with "npm start", or name --data DIR of a stopped one or --stack NAME of a deployed one.\n`;
    for (const result of results) expect(result).toEqual({ code: 1, out: '', errors });
  });

  it('is one sentence for a directory without data, which is not made', async () => {
    const { code, out, errors } = await runCommandLine(['list', '--data', 'no/such/directory']);
    expect([code, out]).toEqual([1, '']);
    expect(errors).toBe('The directory no/such/directory holds no data of a local service.\n');
    expect(await runCommandLine(['list', '--data', 'test'])).toMatchObject({ code: 1, out: '' });
  });
});
