import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { ResponseFormat } from '#lib/domain/forms/responses-document.ts';
import type { NewKey } from './api-keys.ts';
import { Arguments, UsageError } from './arguments.ts';
import { type Target, targetOf, targetOptions } from './connection.ts';
import {
  type CustomerCommand,
  customerCommand,
  customerOptions,
  graceMilliseconds,
  newKey,
  newMember,
  type Recovery,
  recordId,
  recovery,
  responseFormat,
} from './key-options.ts';
import { type ListenCommand, listenCommand, listenOptions } from './run-listen.ts';
import type { NewMember } from './run-member.ts';

export const usage = `Usage: npm run workspace -- <command> [options]

  import FILE                               add and replace the records of a workspace document
    [--prune]                               also remove stored records that it lacks, of the kinds it has
    [--dry-run]                             check it and list what it would undo and remove; change nothing
    [--yes | --keep-edits]                  undo edits without asking, or keep the edited records
    [--backup FILE]                         first write what it will change or remove to a new file
    [--all]                                 list every failure, not only the first ones of each reason
  export [FILE] --workspace ID              write a workspace as .json or .ndjson (to standard output: .json)
  export DIR --all                          write each workspace of the table as DIR/ID.ndjson
  key create --workspace ID --name TEXT [--member ID] [--permission P]... [--expires DATE]
  key list --workspace ID
  key revoke KEY --workspace ID
  key rotate KEY --workspace ID [--grace 24h]
  member invite --workspace ID --email ADDRESS [--permission P]...
                                            let a person sign in to the console; the default is every permission
  customer export ID [FILE] --workspace ID  write what a workspace holds of a person, as one JSON document
  customer erase ID --workspace ID          erase a person, and say what was removed and what stays
    [--responses]                           also the form responses with the e-mail address of the person
    [--yes]                                 without asking
  list                                      all workspaces
  responses --workspace ID --form SLUG [--format csv|json]
                                            write all responses to a form to standard output (csv)
  types --workspace ID                      TypeScript types of the CMS databases
  schema                                    JSON Schema of a workspace document; needs no service
  mail list --workspace ID                  mails that could not be sent, with the reason
  mail retry [MAIL] --workspace ID          retry one of them, or all
  mail discard MAIL --workspace ID          remove one of them permanently
  webhook listen --key KEY --forward URL    follow the events of a service and forward them, signed as webhooks
    [--types menu_product.*,form.updated]   only events of these types
    [--workspace ID]                        for a key that may not read the workspace
  table restore --stack NAME                bring a lost table back, step by step
    [--backup ARN]                          not from its newest backup, but from this one
  table restore DIR --at TIME --stack NAME  write every workspace as it was then to DIR/ID.ndjson
  table stop --stack NAME                   let no function run
  table start --stack NAME                  let all functions run again
    [--dry-run]                             of these: print the steps; change nothing

Target (one of):
  --url URL        a running local service (default http://127.0.0.1:3000); of webhook listen: any service
  --data DIR       the data directory of a stopped local service
  --stack NAME     a deployed stack, with the usual AWS credentials
  --table NAME     a table of that account alone, such as a restored one
`;

export type Command = { readonly target: Target } & (
  | ({ readonly name: 'import' } & ImportCommand)
  | { readonly name: 'export'; readonly file: string | undefined; readonly workspaceId: string }
  | { readonly name: 'export all'; readonly directory: string }
  | { readonly name: 'key create'; readonly workspaceId: string; readonly key: NewKey }
  | { readonly name: 'key list'; readonly workspaceId: string }
  | { readonly name: 'key revoke'; readonly workspaceId: string; readonly keyId: string }
  | {
      readonly name: 'key rotate';
      readonly workspaceId: string;
      readonly keyId: string;
      readonly graceMilliseconds: number;
    }
  | { readonly name: 'member invite'; readonly workspaceId: string; readonly member: NewMember }
  | CustomerCommand
  | { readonly name: 'list' }
  | {
      readonly name: 'responses';
      readonly workspaceId: string;
      readonly slug: string;
      readonly format: ResponseFormat;
    }
  | { readonly name: 'types'; readonly workspaceId: string }
  | { readonly name: 'schema' }
  | { readonly name: 'mail list'; readonly workspaceId: string }
  | { readonly name: 'mail retry'; readonly workspaceId: string; readonly mailId: string | undefined }
  | { readonly name: 'mail discard'; readonly workspaceId: string; readonly mailId: string }
  | ({ readonly name: 'webhook listen' } & ListenCommand)
  | ({ readonly name: 'table restore' | 'table stop' | 'table start' } & Recovery)
);

export interface ImportCommand {
  readonly file: string;
  readonly prune: boolean;
  readonly dryRun: boolean;
  /** Treatment of edits. By default the command asks at the terminal. */
  readonly edits: 'undo' | 'keep' | undefined;
  /** Lists every failure. */
  readonly all: boolean;
  /** A new file for what the import changes. */
  readonly backup?: string | undefined;
}

const options = {
  import: {
    prune: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
    'keep-edits': { type: 'boolean' },
    all: { type: 'boolean' },
    backup: { type: 'string' },
  },
  export: { workspace: { type: 'string' }, all: { type: 'boolean' } },
  'key create': {
    workspace: { type: 'string' },
    name: { type: 'string' },
    member: { type: 'string' },
    permission: { type: 'string', multiple: true },
    expires: { type: 'string' },
  },
  'key list': { workspace: { type: 'string' } },
  'key revoke': { workspace: { type: 'string' } },
  'key rotate': { workspace: { type: 'string' }, grace: { type: 'string' } },
  'member invite': {
    workspace: { type: 'string' },
    email: { type: 'string' },
    permission: { type: 'string', multiple: true },
  },
  ...customerOptions,
  list: {},
  responses: { workspace: { type: 'string' }, form: { type: 'string' }, format: { type: 'string' } },
  types: { workspace: { type: 'string' } },
  schema: {},
  'mail list': { workspace: { type: 'string' } },
  'mail retry': { workspace: { type: 'string' } },
  'mail discard': { workspace: { type: 'string' } },
  'webhook listen': listenOptions,
  'table restore': { 'dry-run': { type: 'boolean' }, backup: { type: 'string' }, at: { type: 'string' } },
  'table stop': { 'dry-run': { type: 'boolean' } },
  'table start': { 'dry-run': { type: 'boolean' } },
} as const satisfies Record<CommandName, ParseArgsOptionsConfig>;

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Command {
  const [first = '', second = ''] = args;
  const hasTwoWords =
    ['customer', 'key', 'mail', 'member', 'table', 'webhook'].includes(first) && !second.startsWith('-');
  const name = hasTwoWords ? `${first} ${second}`.trim() : first;
  if (!isCommandName(name)) throw new UsageError(name === '' ? 'Missing command.' : `Unknown command: ${name}.`);
  const { values, positionals } = parseOptions(name, args.slice(hasTwoWords ? 2 : 1));
  const parsed = new Arguments(values, positionals);
  const target = targetOf(parsed);
  const command = readCommand(name, parsed);
  parsed.requireNoMore();
  return { ...command, target } as Command;
}

/** What stands on the command line; `export --all` is a command of its own. */
type CommandName = Exclude<Command['name'], 'export all'>;

const isCommandName = (name: string): name is CommandName => Object.hasOwn(options, name);

function parseOptions(name: CommandName, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: { ...options[name], ...(name === 'schema' || name === 'webhook listen' ? {} : targetOptions) },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readCommand(name: CommandName, args: Arguments): object {
  switch (name) {
    case 'import':
      return { name, ...importCommand(args) };
    case 'export':
      return args.values['all'] === true
        ? exportAll(args)
        : { name, file: args.file(), workspaceId: args.workspaceId() };
    case 'key create':
      return { name, workspaceId: args.workspaceId(), key: newKey(args) };
    case 'key list':
    case 'mail list':
    case 'types':
      return { name, workspaceId: args.workspaceId() };
    case 'mail retry':
      return { name, mailId: args.positionals.shift(), workspaceId: args.workspaceId() };
    case 'mail discard':
      return { name, mailId: args.positional('MAIL'), workspaceId: args.workspaceId() };
    case 'key revoke':
      return { name, keyId: recordId('KEY', args.positional('KEY')), workspaceId: args.workspaceId() };
    case 'key rotate':
      return {
        name,
        keyId: recordId('KEY', args.positional('KEY')),
        workspaceId: args.workspaceId(),
        graceMilliseconds: graceMilliseconds(args.optional('grace') ?? '0h'),
      };
    case 'member invite':
      return { name, workspaceId: args.workspaceId(), member: newMember(args) };
    case 'customer export':
    case 'customer erase':
      return customerCommand(name, args);
    case 'list':
    case 'schema':
      return { name };
    case 'webhook listen':
      return { name, ...listenCommand(args) };
    case 'table restore':
    case 'table stop':
    case 'table start':
      return { name, ...recovery(args) };
    case 'responses':
      return { name, workspaceId: args.workspaceId(), slug: args.required('form'), format: responseFormat(args) };
  }
}

function importCommand(args: Arguments): ImportCommand {
  const isSet = (name: string): boolean => args.values[name] === true;
  if (isSet('yes') && isSet('keep-edits')) throw new UsageError('Use only one of --yes and --keep-edits.');
  const file = args.positional('FILE');
  if (file === '-') {
    throw new UsageError('FILE must be a file, not standard input, because the import reads it more than once.');
  }
  const edits = isSet('yes') ? 'undo' : isSet('keep-edits') ? 'keep' : undefined;
  return {
    file,
    prune: isSet('prune'),
    dryRun: isSet('dry-run'),
    edits,
    all: isSet('all'),
    backup: args.optional('backup'),
  };
}

function exportAll(args: Arguments): object {
  if (args.optional('workspace') !== undefined) throw new UsageError('Use only one of --all and --workspace.');
  return { name: 'export all', directory: args.positional('DIR') };
}
