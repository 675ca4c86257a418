/** Makes a slug from a text: in lower case, with hyphens for all but letters and digits. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{Nd}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100);
