/** A part of a form; `head` replaces its header lines. */
export interface Part {
  readonly name?: string;
  /** A part without a file name is a field. */
  readonly filename?: string;
  readonly type?: string;
  readonly head?: readonly string[];
  readonly bytes?: string | Uint8Array;
}

export const boundary = 'formEnd1234567890';
export const formType = `multipart/form-data; boundary=${boundary}`;

/** A multipart body in a browser's form, with its header. */
export function formBody(parts: readonly Part[]): { headers: { 'content-type': string }; body: Buffer } {
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n${headOf(part)}\r\n\r\n`, part.bytes ?? '', '\r\n']);
  return { headers: { 'content-type': formType }, body: bytesOf([...pieces, `--${boundary}--\r\n`]) };
}

export const bytesOf = (pieces: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));

function headOf({ name = 'files', filename, type, head }: Part): string {
  if (head) return head.join('\r\n');
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const lines = [`Content-Disposition: form-data; name="${name}"${file}`];
  if (type !== undefined) lines.push(`Content-Type: ${type}`);
  return lines.join('\r\n');
}
