/** A reason not to start that a person can act on; it is printed as one sentence, without a stack. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
