import type { ServerResponse } from 'node:http';

const askMilliseconds = 100;

/**
 * Watches the client of a request that has no answer yet. A client that has left and one that has closed only its half
 * of the connection look the same. So such a client gets interim answers (100): the system of a client that has left
 * refuses them.
 * @returns a signal that aborts when the client has left, or has its answer
 */
export function watchClient(response: ServerResponse): AbortSignal {
  const { socket, httpVersion } = response.req;
  const left = new AbortController();
  if (response.destroyed || socket.destroyed) {
    left.abort();
    return left.signal;
  }
  let timer: NodeJS.Timeout | undefined;
  const ask = () => {
    if (response.headersSent) clearInterval(timer);
    else response.writeContinue();
  };
  const askRepeatedly = () => {
    // HTTP/1.0 has no interim answers.
    if (httpVersion === '1.0') return;
    ask();
    timer = setInterval(ask, askMilliseconds);
  };
  response.once('close', () => {
    clearInterval(timer);
    socket.off('end', askRepeatedly);
    left.abort();
  });
  if (socket.readableEnded) askRepeatedly();
  else socket.once('end', askRepeatedly);
  return left.signal;
}
