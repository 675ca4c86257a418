import { Failure } from '#lib/domain/failure.ts';
import { ConditionFailed, Unavailable } from '#lib/table/errors.ts';
import { documentSchema } from '../document-schema.ts';
import { UsageError } from './arguments.ts';
import { type Command, parseCommandLine, usage } from './command-line.ts';
import { connect } from './connection.ts';
import { runCommand, type TableCommand } from './run-command.ts';
import { runListen } from './run-listen.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs a command line and reports failures on the terminal.
 * @param args the arguments after `npm run workspace --`
 * @returns the exit code: 0, 1 for a failure, 2 for an invalid command line
 */
export async function runArguments(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    if (args.includes('--help')) {
      terminal.print(usage);
      return 0;
    }
    const command = parseCommandLine(args);
    await run(command, terminal);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.note(isUsage ? `${error.message}\n\n${usage}` : describeFailure(error));
    return isUsage ? 2 : 1;
  }
}

async function run(command: Command, terminal: Terminal): Promise<void> {
  switch (command.name) {
    case 'schema':
      return terminal.print(JSON.stringify(documentSchema(), undefined, 2));
    case 'webhook listen':
      return runListen(command, terminal);
    case 'table restore':
    case 'table stop':
    case 'table start': {
      // The other commands do without the packages of development, which this one needs.
      const { runTable } = await import('./run-table.ts');
      return runTable(command, terminal);
    }
    default:
      return runOnService(command, terminal);
  }
}

async function runOnService(command: TableCommand, terminal: Terminal): Promise<void> {
  const connection = await connect(command.target);
  try {
    await runCommand(command, connection, terminal);
  } finally {
    await connection.close();
  }
}

/** The message of an error for the terminal, without its stack. */
function describeFailure(error: unknown): string {
  if (error instanceof Failure) return error.message;
  if (error instanceof ConditionFailed) return 'The same records were changed at the same time. Run the command again.';
  if (!(error instanceof Unavailable)) return `Unexpected error: ${error}`;
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
