import { UsageError } from '#lib/workspace/command/arguments.ts';
import { parseCommandLine, usage } from '#lib/workspace/command/command-line.ts';
import { connect } from '#lib/workspace/command/connection.ts';
import { describeFailure } from '#lib/workspace/command/describe-failure.ts';
import { runCommand, type TableCommand } from '#lib/workspace/command/run-command.ts';
import { terminal } from '#lib/workspace/command/terminal.ts';
import { documentSchema } from '#lib/workspace/document-schema.ts';

// Whoever reads our output may go away; what was begun is finished.
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.exitCode = 1;
  terminal.note(`The result cannot be written: ${message}.`);
});

process.exitCode = (await run(process.argv.slice(2))) || process.exitCode;

/** @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  try {
    if (args.includes('--help')) {
      terminal.print(usage);
      return 0;
    }
    const command = parseCommandLine(args);
    if (command.name === 'schema') terminal.print(JSON.stringify(documentSchema(), undefined, 2));
    else await runOnService(command);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.note(isUsage ? `${error.message}\n\n${usage}` : describeFailure(error));
    return isUsage ? 2 : 1;
  }
}

async function runOnService(command: TableCommand): Promise<void> {
  const connection = await connect(command.target);
  try {
    await runCommand(command, connection.table, terminal);
  } finally {
    await connection.close();
  }
}
