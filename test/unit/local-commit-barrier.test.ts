import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CommitBarrier, startCommitBarrier } from '#lib/local/commit-barrier.ts';

/** An engine that answers a call when its last word has come. */
const engine = createServer((socket) => {
  let call = '';
  socket
    .on('error', () => undefined)
    .on('data', (piece) => {
      call += piece;
      if (!/\.(?:Query|PutItem|TransactWriteItems)$/.test(call)) return;
      call = '';
      socket.write('answer');
    });
});
let barrier: CommitBarrier;
let passes: PromiseWithResolvers<boolean>[] = [];

beforeEach(async () => {
  passes = [];
  await once(engine.listen(0, '127.0.0.1'), 'listening');
  barrier = await startCommitBarrier((engine.address() as AddressInfo).port, () => {
    const pass = Promise.withResolvers<boolean>();
    passes.push(pass);
    return pass.promise;
  });
});

afterEach(async () => {
  await barrier.stop();
  engine.close();
});

const open = () => connect(Number(new URL(barrier.endpoint).port), '127.0.0.1').on('error', () => undefined);
const target = 'x-amz-target: DynamoDB_20120810.TransactWriteItems';

describe('the barrier in front of the engine', () => {
  it('passes an answer on at once if the call is no transaction', async () => {
    const client = open();
    client.write('x-amz-target: DynamoDB_20120810.Query');
    expect(String((await once(client, 'data'))[0])).toBe('answer');
    expect(passes).toHaveLength(0);
  });

  it('keeps the answer to a transaction until another call has passed the queue, on each connection', async () => {
    const client = open();
    for (const _ of [1, 2]) {
      let answers = 0;
      client.write(target);
      client.once('data', () => answers++);
      while (passes.length === 0) await new Promise(setImmediate);
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      expect(answers).toBe(0);
      passes.pop()?.resolve(true);
      while (answers === 0) await new Promise(setImmediate);
    }
    client.write('x-amz-target: DynamoDB_20120810.PutItem');
    expect(String((await once(client, 'data'))[0])).toBe('answer');
    expect(passes).toHaveLength(0);
  });

  it('finds a transaction whose header comes in two pieces', async () => {
    const client = open();
    client.setNoDelay().write(target.slice(0, -9));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    client.write(target.slice(-9));
    while (passes.length === 0) await new Promise(setImmediate);
    passes[0]?.resolve(true);
    expect(String((await once(client, 'data'))[0])).toBe('answer');
  });

  it('breaks the connection without an answer if the engine has ended before the commit', async () => {
    const client = open();
    let answers = 0;
    client.on('data', () => answers++).write(target);
    while (passes.length === 0) await new Promise(setImmediate);
    passes[0]?.resolve(false);
    await once(client, 'close');
    expect(answers).toBe(0);
  });

  it('breaks the connection if there is no engine', async () => {
    engine.close();
    const client = open();
    // A socket that nobody reads does not notice its end.
    client.resume().write(target);
    await once(client, 'close');
  });
});
