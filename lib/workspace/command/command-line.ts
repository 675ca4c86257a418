import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Arguments, UsageError } from './arguments.ts';
import { type Target, targetOf, targetOptions } from './connection.ts';
import { graceMilliseconds, newKey, newMember, recordId, recovery, responseFormat } from './key-options.ts';
import { listenCommand, listenOptions } from './run-listen.ts';

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

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const ofWorkspace = (args: Arguments) => ({ workspaceId: args.workspaceId() });
const keyOfWorkspace = (args: Arguments) => ({
  keyId: recordId('KEY', args.positional('KEY')),
  workspaceId: args.workspaceId(),
});
const customerOfWorkspace = (args: Arguments) => ({
  customerId: recordId('ID', args.positional('ID')),
  workspaceId: args.workspaceId(),
});

/** The options of each command, beside its target, and what it reads of them. Each `read` throws UsageError. */
const commands = {
  import: {
    options: { prune: flag, 'dry-run': flag, yes: flag, 'keep-edits': flag, all: flag, backup: text },
    read: importCommand,
  },
  export: {
    options: { workspace: text },
    read: (args) => ({ file: args.file(), workspaceId: args.workspaceId() }),
  },
  /** `export` with `--all` */
  'export all': { options: { workspace: text, all: flag }, read: exportAll },
  'key create': {
    options: { workspace: text, name: text, member: text, permission: texts, expires: text },
    read: (args) => ({ workspaceId: args.workspaceId(), key: newKey(args) }),
  },
  'key list': { options: { workspace: text }, read: ofWorkspace },
  'key revoke': { options: { workspace: text }, read: keyOfWorkspace },
  'key rotate': {
    options: { workspace: text, grace: text },
    read: (args) => ({
      ...keyOfWorkspace(args),
      graceMilliseconds: graceMilliseconds(args.optional('grace') ?? '0h'),
    }),
  },
  'member invite': {
    options: { workspace: text, email: text, permission: texts },
    read: (args) => ({ workspaceId: args.workspaceId(), member: newMember(args) }),
  },
  'customer export': {
    options: { workspace: text },
    read: (args) => ({ ...customerOfWorkspace(args), file: args.file() }),
  },
  'customer erase': {
    options: { workspace: text, responses: flag, yes: flag },
    read: (args) => ({
      ...customerOfWorkspace(args),
      withResponses: args.isSet('responses'),
      yes: args.isSet('yes'),
    }),
  },
  list: { options: {}, read: () => ({}) },
  responses: {
    options: { workspace: text, form: text, format: text },
    read: (args) => ({ ...ofWorkspace(args), slug: args.required('form'), format: responseFormat(args) }),
  },
  types: { options: { workspace: text }, read: ofWorkspace },
  schema: { options: {}, read: () => ({}) },
  'mail list': { options: { workspace: text }, read: ofWorkspace },
  'mail retry': {
    options: { workspace: text },
    read: (args) => ({ mailId: args.positionals.shift(), workspaceId: args.workspaceId() }),
  },
  'mail discard': {
    options: { workspace: text },
    read: (args) => ({ mailId: args.positional('MAIL'), workspaceId: args.workspaceId() }),
  },
  'webhook listen': { options: listenOptions, read: listenCommand },
  'table restore': { options: { 'dry-run': flag, backup: text, at: text }, read: recovery },
  'table stop': { options: { 'dry-run': flag }, read: recovery },
  'table start': { options: { 'dry-run': flag }, read: recovery },
} as const satisfies Record<
  string,
  { readonly options: ParseArgsOptionsConfig; readonly read: (args: Arguments) => object }
>;

type CommandName = keyof typeof commands;

export type Command = {
  readonly [Name in CommandName]: { readonly name: Name; readonly target: Target } & ReturnType<
    (typeof commands)[Name]['read']
  >;
}[CommandName];

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Command {
  const [first = '', second = ''] = args;
  const hasTwoWords =
    ['customer', 'key', 'mail', 'member', 'table', 'webhook'].includes(first) && !second.startsWith('-');
  const words = hasTwoWords ? `${first} ${second}`.trim() : first;
  const name = words === 'export' && args.includes('--all') ? 'export all' : words;
  if (!isCommandName(name)) throw new UsageError(name === '' ? 'Missing command.' : `Unknown command: ${name}.`);
  const { values, positionals } = parseOptions(name, args.slice(hasTwoWords ? 2 : 1));
  const parsed = new Arguments(values, positionals);
  const target = targetOf(parsed);
  const command = commands[name].read(parsed);
  parsed.requireNoMore();
  return { name, ...command, target } as Command;
}

const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

function parseOptions(name: CommandName, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: { ...commands[name].options, ...(name === 'schema' || name === 'webhook listen' ? {} : targetOptions) },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function importCommand(args: Arguments) {
  const yes = args.isSet('yes');
  const keepEdits = args.isSet('keep-edits');
  if (yes && keepEdits) throw new UsageError('Use only one of --yes and --keep-edits.');
  const file = args.positional('FILE');
  if (file === '-') {
    throw new UsageError('FILE must be a file, not standard input, because the import reads it more than once.');
  }
  return {
    file,
    prune: args.isSet('prune'),
    dryRun: args.isSet('dry-run'),
    /** Treatment of edits. By default the command asks at the terminal. */
    edits: yes ? ('undo' as const) : keepEdits ? ('keep' as const) : undefined,
    all: args.isSet('all'),
    backup: args.optional('backup'),
  };
}

function exportAll(args: Arguments) {
  if (args.optional('workspace') !== undefined) throw new UsageError('Use only one of --all and --workspace.');
  return { directory: args.positional('DIR') };
}
