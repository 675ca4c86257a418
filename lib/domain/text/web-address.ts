/**
 * Whether a text is an absolute http or https address. The URL parser drops line breaks and reads `https:a.co` as
 * `https://a.co`, so both are refused first. `"`, `<` and `>` are refused because pages put addresses into attributes.
 */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s\p{Cc}"<>]+$/iu.test(text) && URL.canParse(text);

/**
 * Whether a text is the address of an image: http, https, or a path on the reader's own site. Two slashes would name
 * another site, and browsers read a backslash as a slash.
 */
export const isImageAddress = (text: string): boolean =>
  isWebAddress(text) || /^\/(?!\/)[^\s\p{Cc}\\"<>]*$/u.test(text);
