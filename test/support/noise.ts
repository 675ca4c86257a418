/** The same pseudorandom text each time. It does not compress, and takes three bytes a character. */
export function noise(characters: number): string {
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x4e00 + (state % 20_000));
  };
  return Array.from({ length: characters }, next).join('');
}
