import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** The header of a call whose answer comes before its commit. */
const transaction = Buffer.from('DynamoDB_20120810.TransactWriteItems');

export interface CommitBarrier {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Listens in front of DynamoDB Local, which answers a transaction when its commit is in a queue. The barrier keeps the
 * answer until another call has gone through the same queue. So no write is answered that dies with the engine.
 * @param port of the engine
 * @param passQueue makes a call of the engine; false if the engine did not answer
 */
export async function startCommitBarrier(port: number, passQueue: () => Promise<boolean>): Promise<CommitBarrier> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    void relay(client, connect({ port, host: '127.0.0.1', noDelay: true }), passQueue);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

/** Passes the calls of one connection on. A call is sent when the one before is answered. */
async function relay(client: Socket, engine: Socket, passQueue: () => Promise<boolean>): Promise<void> {
  client.setNoDelay(true);
  let isUncommitted = false;
  let before = Buffer.alloc(0);
  async function* sent(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      // The header may be in two pieces. In a body, the same text costs a call and nothing else.
      const text = Buffer.concat([before, piece]);
      isUncommitted ||= text.includes(transaction);
      before = text.subarray(-transaction.length);
      yield piece;
    }
  }
  async function* answered(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      if (isUncommitted && !(await passQueue())) throw new Error('The engine ended before the commit.');
      isUncommitted = false;
      before = Buffer.alloc(0);
      yield piece;
    }
  }
  const end = () => {
    client.destroy();
    engine.destroy();
  };
  // A client whose connection breaks repeats its call, as if the engine had broken it.
  await Promise.all([pipeline(client, sent, engine), pipeline(engine, answered, client)]).catch(end);
}
