/** The two halves of a request line's target; the path is still percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: string;
}

/** Reads origin form (`/a?b`) and absolute form (`http://host/a?b`), as a server must (RFC 9112, 3.2). */
export function splitTarget(url: string): RequestTarget {
  const local = encodeRawBytes(url).replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local || '/', query: '' };
  return { path: local.slice(0, mark) || '/', query: local.slice(mark + 1) };
}

/**
 * Escapes the bytes of plain UTF-8, which curl sends for Arabic. Node reads the bytes of a request line as Latin-1.
 */
function encodeRawBytes(url: string): string {
  return url.replaceAll(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
