/** A text of a document as it may stand in a line: control characters, which a terminal would obey, are escaped. */
export const inLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
