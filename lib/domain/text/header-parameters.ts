/** A header value with its parameters. The first of two parameters of one name counts. */
export interface ParameterizedValue {
  /** Trimmed and in lower case. */
  readonly value: string;
  /** By name in lower case, without quotes and escapes. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * One parameter, possibly empty, up to the next semicolon (RFC 9110, 5.6.6). An unquoted value may have characters
 * that are not allowed in a token, as browsers read it (WHATWG MIME Sniffing, 4.4). No two parts match the same
 * characters, so the time is linear.
 */
const parameter = /[ \t]*(?:([^\s=;"]+)[ \t]*(?:=(?:[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*|([^;"]*)))?)?(?:;|$)/suy;

/**
 * Reads a value such as `multipart/form-data; boundary="a b"; charset=utf-8`.
 * @returns undefined for a quote that is not closed, or for characters beside it
 */
export function readParameters(text: string): ParameterizedValue | undefined {
  const [value = ''] = text.split(';', 1);
  const parameters = new Map<string, string>();
  parameter.lastIndex = value.length + 1;
  while (parameter.lastIndex < text.length) {
    const match = parameter.exec(text);
    if (!match) return undefined;
    const [, name, quoted, bare = ''] = match;
    // A backslash escapes a quote or a backslash only: Windows sends the paths of files as they are.
    const found = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare.trim();
    if (name !== undefined && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), found);
  }
  return { value: value.trim().toLowerCase(), parameters };
}
