/** Why a command cannot do what it was asked for, in a sentence for the person at the terminal. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
