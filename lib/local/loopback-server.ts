import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterAnswers } from './request-body.ts';

export interface LoopbackServer {
  readonly url: string;
  /** Also ends open connections. */
  stop(): Promise<void>;
}

/** Lets a server listen on a free port of 127.0.0.1. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  closeAfterAnswers(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
