/** A text as one word of a shell, to be copied from the screen. */
export const shellWord = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
