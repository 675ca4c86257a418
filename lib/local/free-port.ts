import { once } from 'node:events';
import { createServer } from 'node:net';
import { Failure } from '#lib/domain/failure.ts';

const attemptsMax = 50;
/** Processes that start one after the other try different ports, so that none takes what another has just found. */
let next = process.pid;

/**
 * Finds a port for an engine that cannot choose one itself. The port is below the range of outgoing connections.
 * Otherwise a client on this machine could take it before the engine does.
 * @throws Failure
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    // Far from the first port of the next process.
    next += 4_999;
    const port = 20_000 + (next % 10_000);
    if (await canListen(port)) return port;
  }
  throw new Failure('No free port was found between 20000 and 30000.');
}

/** Checks a port before the slow part of the start. @throws Failure */
export async function requireFreePort(port: number, host: string): Promise<void> {
  if (!(await canListen(port, host))) throw portTaken(port, host);
}

/** The error for an unusable port or address. */
export function portTaken(port: number, host: string): Failure {
  return new Failure(
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
