/** A failure that the person at the terminal can mend. It is printed without its stack. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
