/** What a customer writes, and what a right answer has to name and must not. */
export interface Question {
  /** Several messages are written one after the other; the last answer counts. */
  readonly asks: string | readonly string[];
  readonly says: readonly string[];
  readonly not?: readonly string[];
}
