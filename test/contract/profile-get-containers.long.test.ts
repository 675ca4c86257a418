import { expect, it } from '@jest/globals';
import { Containers } from '#test/support/containers.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { changeMember, openSignIns } from '#test/support/sign-in.ts';
import { signIn } from '#test/support/signed-in.ts';

await openSignIns();
const hour = 3_600_000;
const ali = { workspaceId: 'ws_apple', address: 'ali@example.com' };
const profile = 'GET /api/v1/profile';

it('a session that cannot be renewed is valid until its former end', async () => {
  const began = Date.now() - 2 * hour;
  const old = await signIn(ali, began);
  const engine = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const proxy = await FaultProxy.start(engine);
  proxy.plan('UpdateItem', { kind: 'error', type: 'ThrottlingException', status: 400 });
  const containers = await Containers.start(1, proxy.url);
  try {
    const { status, json } = await containers.at(0).call(profile, { headers: old.headers });
    expect([status, json.session?.expiresAt]).toEqual([200, new Date(began + 12 * hour).toISOString()]);
  } finally {
    await containers[Symbol.asyncDispose]();
    await proxy.stop();
  }
});

it('in a second container has the same answer', async () => {
  const session = await signIn(ali);
  await using containers = await Containers.start(2);
  const ask = (number: number) => containers.at(number).call(profile, { headers: session.headers });
  expect((await Promise.all([ask(0), ask(1)])).map(({ status }) => status)).toEqual([200, 200]);
  await changeMember('mem_ali', { active: false });
  expect((await Promise.all([ask(0), ask(1)])).map(({ status }) => status)).toEqual([401, 401]);
  await changeMember('mem_ali', { active: true });
});
