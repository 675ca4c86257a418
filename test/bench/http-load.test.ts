import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { HttpClient } from './http-load.ts';

it('a call is repeated whose idle connection the service ends at that moment', async () => {
  const seen = new Set<unknown>();
  const server = createServer(({ socket }, response) => {
    if (seen.has(socket)) return socket.resetAndDestroy();
    seen.add(socket);
    response.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new HttpClient((server.address() as AddressInfo).port);
  for (const _ of [1, 2, 3]) expect((await client.call({ method: 'GET', path: '/' })).status).toBe(200);
  expect(seen.size).toBe(3);
  server.closeAllConnections();
  server.close();
});
