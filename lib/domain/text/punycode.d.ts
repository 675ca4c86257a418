declare module 'punycode/punycode.js' {
  const punycode: {
    /** A domain name in Unicode. @throws RangeError for malformed Punycode */
    toUnicode(domain: string): string;
  };
  // biome-ignore lint/style/noDefaultExport: the library exports nothing else to modules.
  export default punycode;
}
