import { type ParameterizedValue, readParameters } from '#lib/domain/text/header-parameters.ts';

/** The header of a part, with what busboy does not report. */
export interface PartHeader {
  /** The Content-Disposition in a form that busboy reads, one character per byte. */
  readonly disposition: string;
  /** The name of the form field, one character per byte. */
  readonly fieldName: string;
  /** Whether the part has a file name, which may be empty. */
  readonly namesFile: boolean;
  /** Whether the name is in `filename*`, which has an encoding of its own. */
  readonly isEncoded: boolean;
  /** The Content-Type as sent. */
  readonly declaredType: string | undefined;
}

/** @param text the lines of a header, one character per byte @returns undefined for a malformed header */
export function readPartHeader(text: string): PartHeader | undefined {
  const values = new Map<string, string>();
  // A line that begins with a blank continues the line before it.
  for (const line of text.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1);
    if (colon < 1 || !token.test(name) || /[\r\n]/.test(value)) return undefined;
    if (!values.has(name)) values.set(name, value.trim());
  }
  // Browsers send the control characters of a file name as they are.
  const disposition = readParameters((values.get('content-disposition') ?? '').replaceAll(controlCharacters, ''));
  if (!disposition) return undefined;
  const { parameters } = disposition;
  return {
    disposition: writtenDisposition(disposition),
    fieldName: parameters.get('name') ?? '',
    namesFile: parameters.has('filename') || parameters.has('filename*'),
    isEncoded: parameters.has('filename*'),
    declaredType: values.get('content-type'),
  };
}

/** RFC 9110, 5.6.2 */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** busboy skips a part with an empty parameter, or with a bare value that is no token. */
function writtenDisposition({ value, parameters }: ParameterizedValue): string {
  const written = ['name', 'filename', 'filename*'].flatMap((name) => {
    const text = parameters.get(name);
    if (text === undefined) return [];
    return name.endsWith('*') ? `; ${name}=${text}` : `; ${name}="${text.replaceAll(/["\\]/g, '\\$&')}"`;
  });
  return value + written.join('');
}
