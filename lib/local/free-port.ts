import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartFailure } from './start-failure.ts';

const attemptsMax = 50;

/**
 * A port for an engine that cannot choose one itself. It lies below the range from which systems take the ports of
 * outgoing connections: between our looking and the engine's binding, any busy client could otherwise get it.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (await canListen(port)) return port;
  }
  throw new StartFailure('No free port was found between 20000 and 30000.');
}

/** Says early what `listen` would say late, after the slow part of the start. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  if (!(await canListen(port, host))) throw portTaken(port, host);
}

/** The sentence for a port or an address that cannot be listened on. */
export function portTaken(port: number, host: string): StartFailure {
  return new StartFailure(
    port === 0
      ? `The address ${host} cannot be used: it is not one of this machine. Choose another with --host.`
      : `Port ${port} on ${host} cannot be used: it is taken, or this address is not one of this machine. Choose another with --port N.`,
  );
}

async function canListen(port: number, host?: string): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
