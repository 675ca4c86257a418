/** The lines that the service writes during `work`. It replaces `write` of stdout, because Lambda reads only stdout. */
export async function capturedLines(work: () => Promise<unknown>): Promise<string[]> {
  const { write } = process.stdout;
  const level = process.env['LOG_LEVEL'];
  let text = '';
  process.env['LOG_LEVEL'] = 'info';
  process.stdout.write = (piece: Uint8Array | string) => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    return true;
  };
  try {
    await work();
  } finally {
    process.stdout.write = write;
    process.env['LOG_LEVEL'] = level;
  }
  return text.split('\n').filter((line) => line !== '');
}
