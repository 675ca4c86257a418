import { StartFailure } from '#lib/local/start-failure.ts';
import { ConditionFailed, Unavailable } from '#lib/table/errors.ts';
import { CommandFailure } from './command-failure.ts';

/** The message of an error for the terminal, without its stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof StartFailure) return error.message;
  if (error instanceof ConditionFailed) return 'The same records were changed at the same time. Run the command again.';
  if (!(error instanceof Unavailable)) return `Unexpected error: ${error}`;
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
