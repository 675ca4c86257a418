/** An expected failure of a command. The message is shown to the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
