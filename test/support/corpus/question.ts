/** A customer's messages, with the required and forbidden words of a right answer. */
export interface Question {
  /** Several messages are sent in order. Only the last answer is judged. */
  readonly asks: string | readonly string[];
  readonly says: readonly string[];
  readonly not?: readonly string[];
}
