/** A failed start that the user can mend. It is printed without a stack. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
