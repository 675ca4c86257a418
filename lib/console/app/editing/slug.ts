/** A name for addresses, made of a text: lower case, hyphens for all that is neither letter nor digit. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
