/** Quotes a text as one word of a shell command. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Like `shellQuote`, without quotes where none are needed. */
export const shellWord = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : shellQuote(text));
