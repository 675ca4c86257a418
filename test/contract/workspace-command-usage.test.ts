import { describe, expect, it } from '@jest/globals';
import { defaultPermissions } from '#lib/domain/access/permission.ts';
import { UsageError } from '#lib/workspace/command/arguments.ts';
import { parseCommandLine } from '#lib/workspace/command/command-line.ts';
import { documentSchema } from '#lib/workspace/document-schema.ts';
import { runCommandLine } from '#test/support/command-line.ts';
import { runWorkspace } from '#test/support/processes.ts';

const words = (line: string): string[] => line.split(' ').filter(Boolean);
const nowhere = 'http://127.0.0.1:1';

describe('an invalid command line is refused:', () => {
  it.each([
    ['', 'Missing command.'],
    ['imprt x', 'Unknown command: imprt.'],
    ['key', 'Unknown command: key.'],
    ['key make --workspace w', 'Unknown command: key make.'],
    ['key --workspace w', 'Unknown command: key.'],
    ['toString', 'Unknown command: toString.'],
    ['import', 'Missing argument: FILE.'],
    ['import a b', 'Unexpected argument: b.'],
    ['import -', 'FILE must be a file, not standard input, because the import reads it more than once.'],
    ['import a --force', "Unknown option '--force'"],
    ['import a --prune=yes', 'does not take an argument'],
    ['export', 'Missing option: --workspace.'],
    ['export - --workspace w', 'Omit FILE to write to standard output. Use ./- for a file with this name.'],
    ['export --workspace', "Option '--workspace <value>' argument missing"],
    ['export --workspace=', '--workspace must not be empty.'],
    ['export a b --workspace w', 'Unexpected argument: b.'],
    ['export --workspace a#b', '--workspace must be the id of a workspace, not a#b.'],
    ['key create --workspace w', 'Missing option: --name.'],
    ['key create --name n', 'Missing option: --workspace.'],
    ['key create --workspace w --name \u2060', '--name must have text.'],
    [
      'key create --workspace w --name n --permission cms:entry:write',
      'Unknown permission: cms:entry:write. Must be one of cms',
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
    ['key create extra --workspace w --name n', 'Unexpected argument: extra.'],
    ['key list', 'Missing option: --workspace.'],
    ['key revoke --workspace w', 'Missing argument: KEY.'],
    ['key revoke a/b --workspace w', 'KEY must be an id, not a/b.'],
    ['key revoke k', 'Missing option: --workspace.'],
    ['key rotate --workspace w', 'Missing argument: KEY.'],
    ['key rotate k --workspace w --grace 1', '--grace must be a time such as 30m, 24h or 7d, not 1.'],
    ['key rotate k --workspace w --grace -1h', 'argument is ambiguous'],
    ['key rotate k --workspace w --grace 9999999h', '--grace must be a time such as'],
    ['key rotate k --workspace w --grace 169h', '--grace must be at most 7d, not 169h.'],
    ['key rotate k --workspace w --grace 8d', '--grace must be at most 7d, not 8d.'],
    ['key rotate k --workspace w --grace 604801s', '--grace must be at most 7d, not 604801s.'],
    ['member', 'Unknown command: member.'],
    ['member invite --email a@b.example', 'Missing option: --workspace.'],
    ['member invite --workspace w', 'Missing option: --email.'],
    ['member invite --workspace w --email nobody', '--email must be an e-mail address, not nobody.'],
    ['member invite --workspace w --email a@b.example --permission all', 'Unknown permission: all. Must be one of cms'],
    ['member invite --workspace w --email a@b.example --table t', 'Use --stack instead of --table'],
    ['list all', 'Unexpected argument: all.'],
    ['list --prune', "Unknown option '--prune'"],
    ['list --url here', '--url must be a URL such as http://127.0.0.1:3000, not here.'],
    ['list --url localhost:3000', '--url must be a URL such as'],
    ['table', 'Unknown command: table.'],
    ['table restore', 'Missing option: --stack.'],
    ['table stop --table t', 'Missing option: --stack.'],
    ['table stop --stack s --table t', 'Use only one of --url, --data, --stack and --table.'],
    ['table restore dir --stack s', 'Unexpected argument: dir.'],
    ['table restore --stack s --at 2026-11-20T09:00:00Z', 'Missing argument: DIR.'],
    ['table restore d --stack s --at yesterday', '--at must be a time such as 2026-11-20T09:00:00Z, not yesterday.'],
    ['table restore d --stack s --at 2026-11-20T09:00:00', '--at must be a time such as'],
    ['table restore d --stack s --at 2999-01-01T00:00:00Z', '--at must be in the past, not 2999-01-01T00:00:00Z.'],
    [
      'table restore --stack s --backup arn:aws:backup:eu-west-1:111122223333:recovery-point:1a2b',
      '--backup must be the ARN of a backup of DynamoDB, not arn:aws:backup',
    ],
    [
      'table restore d --stack s --at 2026-11-20T09:00:00Z --backup arn:aws:dynamodb:eu-west-1:111122223333:table/t/backup/01',
      'Use only one of --at and --backup.',
    ],
    ['table start now --stack s', 'Unexpected argument: now.'],
    ['table start --stack s --backup a', "Unknown option '--backup'"],
    ['webhook', 'Unknown command: webhook.'],
    ['webhook listen --key k', 'Missing option: --forward.'],
    ['webhook listen --forward http://127.0.0.1:4000', 'Missing option: --key.'],
    [
      'webhook listen --key k --forward 127.0.0.1:4000',
      '--forward must be an address such as http://127.0.0.1:4000/hook',
    ],
    ['webhook listen --key k --forward ftp://a', '--forward must be an address'],
    ['webhook listen --key k --forward http://a --types=', '--types must not be empty.'],
    ['webhook listen --key k --forward http://a --workspace a#b', '--workspace must be the id of a workspace'],
    ['webhook listen --key k --forward http://a --stack s', "Unknown option '--stack'"],
    ['webhook listen --key k --forward http://a --url a', '--url must be a URL such as'],
    ['list --data a --stack b', 'Use only one of --url, --data, --stack and --table.'],
    ['list --stack a --table b', 'Use only one of --url, --data, --stack and --table.'],
    ['list --data=', '--data must not be empty.'],
    ['schema all', 'Unexpected argument: all.'],
    ['schema --stack a', "Unknown option '--stack'"],
  ])('%s', (line, message) => {
    expect(() => parseCommandLine(words(line))).toThrow(UsageError);
    expect(() => parseCommandLine(words(line))).toThrow(message);
  });

  it.each(['', 'list --data a --stack b'])('shows the usage and ends with 2: %s', async (line) => {
    const { code, out, errors } = await runWorkspace(words(line));
    expect([code, out]).toEqual([2, '']);
    expect(errors).toMatch(
      /^(Missing|Unexpected|Unknown|Use) .+\.\n\nUsage: npm run workspace -- <command> \[options\]\n/,
    );
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

  it('a request for help gets the usage as its result', async () => {
    const { code, out, errors } = await runCommandLine(['import', '--help']);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/^Usage: npm run workspace -- <command> \[options\]\n/);
  });

  it('a request for the schema of documents gets it without a service', async () => {
    const { code, out, errors } = await runCommandLine(['schema']);
    expect([code, errors]).toEqual([0, '']);
    expect(JSON.parse(out)).toEqual(documentSchema());
  });
});

describe('an unreachable service', () => {
  it('is reported in one sentence by every command', async () => {
    const results = await Promise.all(
      ['list', 'key list --workspace w', 'import no-such-file.json', 'export --workspace w'].map((line) =>
        runCommandLine([...words(line), '--url', nowhere]),
      ),
    );
    const errors = `No local service answers at ${nowhere}. Start it with "npm start", or use --data DIR or --stack NAME.\n`;
    for (const result of results) expect(result).toEqual({ code: 1, out: '', errors });
  });

  it('is reported in one sentence for a directory without data, which is not created', async () => {
    const { code, out, errors } = await runCommandLine(['list', '--data', 'no/such/directory']);
    expect([code, out]).toEqual([1, '']);
    expect(errors).toBe('The directory no/such/directory has no data of a local service.\n');
    expect(await runCommandLine(['list', '--data', 'test'])).toMatchObject({ code: 1, out: '' });
  });
});
