import { StartFailure } from '#lib/local/start-failure.ts';
import { ConditionFailed, Unavailable } from '#lib/table/errors.ts';
import { CommandFailure } from './command-failure.ts';

/** What a person at the terminal is told of an error: a sentence, never a stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof CommandFailure || error instanceof StartFailure) return error.message;
  if (error instanceof ConditionFailed) return 'Somebody else has changed the same records meanwhile; run it again.';
  if (!(error instanceof Unavailable)) return `This has failed unexpectedly: ${error}`;
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
