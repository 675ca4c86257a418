/** The header of a part, with details that busboy does not report. */
export interface PartHeader {
  /** The first Content-Disposition, one character per byte. Control characters are replaced. */
  readonly disposition: string;
  /** The Content-Type as sent. */
  readonly declaredType: string | undefined;
  /** Whether the part has a file name, which may be empty. */
  readonly namesFile: boolean;
  /** Whether the part could be a file. If busboy cannot read such a header, the body is malformed. */
  readonly mayNameFile: boolean;
}

/** More than any file system allows in a name. */
const controlsMax = 1_000;

/**
 * U+0080 in UTF-8, one character per byte. It replaces control characters in file names, which browsers send
 * unescaped. busboy accepts it only inside quotes. It is removed from names.
 */
const controlReplacement = '\u00c2\u0080';

/** @param text the lines of a header, one character per byte @returns undefined for a malformed header */
export function readPartHeader(text: string): PartHeader | undefined {
  const values = new Map<string, string>();
  let controls = 0;
  const replaced = (): string => {
    controls++;
    return controlReplacement;
  };
  // A line that begins with a blank continues the line before it.
  for (const line of text.split(/\r\n(?![ \t])/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replaceAll(/\r\n(?=[ \t])/g, '');
    if (colon < 1 || !token.test(name) || /[\r\n]/.test(value)) return undefined;
    const key = name.toLowerCase();
    if (!values.has(key)) values.set(key, value.replaceAll(controlCharacters, replaced).replace(/^[ \t]+/, ''));
  }
  if (controls > controlsMax) return undefined;
  const disposition = values.get('content-disposition') ?? '';
  const mayNameFile = /filename/i.test(disposition) || disposition.includes(controlReplacement);
  return { disposition, declaredType: values.get('content-type'), namesFile: hasFileName(disposition), mayNameFile };
}

/** RFC 9110, 5.6.2 */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

const hasFileName = (disposition: string): boolean =>
  withoutQuotedTexts(disposition)
    .split(';')
    .some((parameter) => ['filename', 'filename*'].includes(parameter.split('=', 1)[0]?.trim().toLowerCase() ?? ''));

/**
 * The name of a file at its sender. In `filename`, browsers encode only `"`, CR and LF, as `%22`, `%0D` and `%0A`
 * (WHATWG HTML, multipart form data). A `filename*` is already decoded.
 */
export const fileNameOf = (disposition: string, filename = ''): string =>
  /filename\*/i.test(disposition) ? filename : filename.replaceAll(/%(?:22|0A|0D)/g, decodeURIComponent);

/** A loop, because a regular expression would backtrack on unclosed quotes. */
function withoutQuotedTexts(text: string): string {
  let bare = '';
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted) bare += character;
  }
  return bare;
}
