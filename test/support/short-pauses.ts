/**
 * Shortens the pauses between retries to a hundredth, for tests that do not measure time. Each pause is a random part
 * of its bound. Deadlines are unchanged.
 */
export function shortenPauses(): void {
  const { random } = Math;
  Math.random = () => random() / 100;
}
