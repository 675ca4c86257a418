declare module 'punycode/punycode.js' {
  const punycode: {
    /** A domain name in Unicode. @throws RangeError for malformed Punycode */
    toUnicode(domain: string): string;
  };
  export = punycode;
}
