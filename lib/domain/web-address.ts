/**
 * Whether a text is an http or https address (decisions.md section 3). The parser of URLs drops line breaks and reads
 * `https:a.co` as `https://a.co`; neither is an address that a page could show, so both are refused first.
 */
export const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
