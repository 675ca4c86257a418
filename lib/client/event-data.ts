/**
 * The data of the server-sent events of a response, each when the blank line after it has arrived. Comments and other
 * fields are left out, and so is what follows the last blank line. Leaving the loop closes the connection.
 * @param arrived is called for each piece of the stream
 */
export async function* eventData({ body }: Response, arrived = (): void => undefined): AsyncGenerator<string> {
  // Safari has no iterator of streams.
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value = '', done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      arrived();
      const events = (rest + value.replaceAll('\r', '')).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = event.split('\n').filter((line) => line.startsWith('data:'));
        if (data.length > 0) yield data.map((line) => line.slice('data:'.length)).join('\n');
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
