import { Failure } from '#lib/domain/failure.ts';
import { listWorkspaces } from '#lib/table/list-workspaces.ts';
import type { Table } from '#lib/table/table.ts';
import { exportRecords } from '../export-records.ts';
import type { Command } from './command-line.ts';
import { openTable } from './connection.ts';
import { DeployedStack } from './deployed-stack.ts';
import { RestoredTable } from './restored-table.ts';
import { runExportAll } from './run-export.ts';
import type { Terminal } from './terminal.ts';

type TableCommand = Extract<Command, { readonly name: `table ${string}` }>;

/** A step of a plan. It can be repeated: what is done already is not done once more. */
interface Step {
  /** What it does, with the real names. */
  readonly title: string;
  readonly isDone?: () => Promise<boolean>;
  /** @returns a text about what came of it, or nothing if that is always `done` */
  readonly run: () => Promise<unknown>;
  /** @default `Done.` */
  readonly done?: string;
  /** What to do when it fails. @default `again` */
  readonly advice?: string;
}

const again = 'Correct the cause, and run the same command again: it goes on from here.';

/** `table restore`, `table stop` and `table start` (lib/infra/restore.md). @throws Failure */
export async function runTable(command: TableCommand, terminal: Terminal): Promise<void> {
  const stack = await DeployedStack.read(command.stack);
  try {
    if (command.name === 'table stop') return await walk([stop(stack)], command, terminal);
    if (command.name === 'table start') return await walk([start(stack)], command, terminal);
    const { at, directory } = command;
    if (at === undefined || directory === undefined) return await recoverLost(stack, command, terminal);
    return await recoverDamaged(stack, { ...command, at, directory }, terminal);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${(error as Error).message}\n${again}`);
  }
}

/** Goes through the steps, or only prints them. @throws Failure with the advice of the step that failed */
async function walk(steps: readonly Step[], { dryRun }: { readonly dryRun: boolean }, terminal: Terminal) {
  for (const [index, { title, isDone, run, done = 'Done.', advice = again }] of steps.entries()) {
    try {
      const isBehind = await isDone?.();
      terminal.print(`${index + 1}. ${title}${isBehind ? ': done already.' : '.'}`);
      if (!isBehind && !dryRun) terminal.print(`   ${(await run()) ?? done}`);
    } catch (error) {
      throw new Failure(`Step ${index + 1} failed: ${(error as Error).message}\n${advice}`);
    }
  }
  if (dryRun) terminal.print('Nothing was changed.');
}

const stop = (stack: DeployedStack): Step => ({
  title: `Stop the ${stack.functionCount} functions of ${stack.name}, so that nothing writes`,
  run: () => stack.stop(),
  done: 'Stopped. Every request is refused until "table start".',
});

const start = (stack: DeployedStack): Step => ({
  title: `Let the ${stack.functionCount} functions of ${stack.name} run`,
  isDone: async () => (await stack.runningCount()) === stack.functionCount,
  run: () => stack.start(),
  done: 'They run.',
});

async function recoverLost(stack: DeployedStack, command: TableCommand, terminal: Terminal): Promise<void> {
  const table = new RestoredTable(stack.tableName);
  const isLost = !(await table.exists());
  const steps = [
    ...(isLost ? [stop(stack), restoration(table, command.backup ?? (await table.newestBackup()))] : []),
    availability(table),
    ...table.switches(stack.table),
    check(table, stack),
    start(stack),
  ];
  await walk(steps, command, terminal);
  const streamArn = await table.streamArn();
  if (streamArn !== undefined && (await stack.follows(streamArn))) {
    terminal.print(`Nothing remains: the functions of ${stack.name} follow the stream of ${table.name}.`);
    return terminal.print('If its records are damaged, give DIR and --at TIME.');
  }
  for (const line of remainingOfLost(stack, streamArn)) terminal.print(line);
}

/** The stream of a mapping cannot be changed, so CloudFormation has to replace the mapping. */
function remainingOfLost({ name, url }: DeployedStack, streamArn = '<printed by this command>'): string[] {
  // The names of `stackName` in lib/infra/service-stack.ts.
  const stage = name === 'WorkspaceApi' ? 'prod' : name.replace(/^WorkspaceApi-/, '');
  return [
    'By hand remains, because a restored table has another stream:',
    `a. Write "tableStreamArn": "${streamArn}" into .settings/${stage}.json.`,
    `b. npm run deploy -- ${stage}`,
    'c. Run this command again: it looks whether the functions follow the stream.',
    `d. npm run smoke -- --url ${url} --key <API_KEY>, and submit a form that notifies you: the mail comes at once.`,
  ];
}

const restoration = (
  table: RestoredTable,
  backup: string | { readonly arn: string; readonly takenAt?: string },
): Step => {
  const { arn, takenAt } = typeof backup === 'string' ? { arn: backup } : backup;
  return {
    title: `Restore ${table.name} from the backup ${arn}${takenAt === undefined ? '' : ` of ${takenAt}`}`,
    run: () => table.restoreFrom(arn),
    done: 'DynamoDB restores it.',
    advice: `No function runs meanwhile. ${again}`,
  };
};

const availability = (table: RestoredTable): Step => ({
  title: `Wait minutes to hours until ${table.name} can be used; the command may be ended meanwhile, and run again`,
  isDone: () => table.isReady(),
  run: () => table.ready(),
  done: 'It can be used.',
});

/** The functions stay stopped if the restored table is not the right one. */
const check = (restored: RestoredTable, stack: DeployedStack): Step => ({
  title: `Read every workspace of ${restored.name}`,
  run: async () => {
    const ids = await readableWorkspaces(openTable(restored.name));
    if (ids.length === 0) throw new Failure(`${restored.name} has no workspace.`);
    return `${ids.length} workspaces: ${ids.join(', ')}.`;
  },
  advice:
    `Is it the right backup? "aws dynamodb list-backups --table-name ${restored.name}" shows the others. Delete the ` +
    `table, and run this command with --backup ARN. "table start --stack ${stack.name}" lets the functions run as it is.`,
});

/** Reads the first records of each workspace. */
async function readableWorkspaces(table: Table): Promise<string[]> {
  const ids = (await listWorkspaces(table)).map(({ id }) => id);
  for (const id of ids) {
    let count = 0;
    for await (const _ of exportRecords(table, id)) if (++count === 20) break;
  }
  return ids;
}

async function recoverDamaged(
  stack: DeployedStack,
  { at, directory, dryRun }: { readonly at: string; readonly directory: string; readonly dryRun: boolean },
  terminal: Terminal,
): Promise<void> {
  const damaged = new RestoredTable(stack.tableName);
  if (!(await damaged.exists())) {
    throw new Failure(`There is no table ${damaged.name}: it is lost. Run this command without --at.`);
  }
  // The time is part of the name, so that a second run finds what the first has made.
  const copy = new RestoredTable(`${damaged.name}-at-${at.slice(0, 19).replaceAll(/[^\dT]/g, '')}`);
  if (!(await copy.exists())) await damaged.requireRestorable(at);
  const steps: Step[] = [
    {
      title: `Copy ${damaged.name} as it was at ${at} to ${copy.name}; ${damaged.name} stays as it is`,
      isDone: () => copy.exists(),
      run: () => copy.restoreTo(damaged.name, at),
      done: 'DynamoDB copies it.',
    },
    availability(copy),
    {
      title: `Write each workspace of ${copy.name} to ${directory}/<id>.ndjson`,
      run: async () => {
        await runExportAll({ directory }, openTable(copy.name), terminal);
        return describeDifference(await workspaceIds(copy), await workspaceIds(damaged), damaged.name);
      },
    },
  ];
  await walk(steps, { dryRun }, terminal);
  for (const line of remainingOfDamaged(stack, copy.name, directory)) terminal.print(line);
}

const workspaceIds = async ({ name }: RestoredTable): Promise<string[]> =>
  (await listWorkspaces(openTable(name))).map(({ id }) => id);

function describeDifference(then: readonly string[], now: readonly string[], tableName: string): string {
  const gone = then.filter((id) => !now.includes(id));
  const made = now.filter((id) => !then.includes(id));
  return [
    `${then.length} workspaces then, ${now.length} in ${tableName} now.`,
    ...(gone.length > 0 ? [`Gone since: ${gone.join(', ')}.`] : []),
    ...(made.length > 0 ? [`Made since: ${made.join(', ')}.`] : []),
  ].join(' ');
}

const remainingOfDamaged = ({ name }: DeployedStack, copy: string, directory: string): string[] => [
  'By hand remains, because only you know which records are wrong. For each damaged workspace:',
  `a. npm run workspace -- import ${directory}/<id>.ndjson --dry-run --stack ${name}`,
  '   lists the edits since then that the import would undo. With --prune it also counts what it would remove.',
  `b. The same without --dry-run, and with --yes or --keep-edits.`,
  'Then, when all is well:',
  `c. aws dynamodb delete-table --table-name ${copy}`,
];
