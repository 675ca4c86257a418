import { runArguments } from '#lib/workspace/command/run-arguments.ts';
import { terminal } from '#lib/workspace/command/terminal.ts';

// The reader of the output may close its pipe. The command continues to its end.
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.exitCode = 1;
  terminal.note(`The result cannot be written: ${message}.`);
});

process.exitCode = (await runArguments(process.argv.slice(2), terminal)) || process.exitCode;
