import { expect, it } from '@jest/globals';
import { Turns } from '#lib/local/function-host.ts';

const long = 600_000;
const isWaiting = (turn: Promise<boolean>): Promise<boolean> =>
  Promise.race([turn.then(() => false), new Promise<boolean>((resolve) => setImmediate(resolve, true))]);

it('lets only so many tasks run, and the others in their order', async () => {
  const turns = new Turns(2);
  expect(await Promise.all([turns.begin(long), turns.begin(long)])).toEqual([true, true]);
  const third = turns.begin(long);
  const fourth = turns.begin(long);
  expect(await isWaiting(third)).toBe(true);
  turns.end();
  expect(await third).toBe(true);
  expect(await isWaiting(fourth)).toBe(true);
  turns.end();
  expect(await fourth).toBe(true);
});

it('refuses a task that has waited too long, and gives its turn to the next one', async () => {
  const turns = new Turns(1);
  await turns.begin(long);
  const refused = turns.begin(1);
  const next = turns.begin(long);
  expect(await refused).toBe(false);
  turns.end();
  expect(await next).toBe(true);
  turns.end();
  expect(await turns.begin(long)).toBe(true);
});

it('gives no turn to a task whose client has left', async () => {
  const turns = new Turns(1);
  await turns.begin(long);
  const present = new AbortController();
  const leaving = new AbortController();
  const abandoned = turns.begin(long, () => leaving.signal);
  const next = turns.begin(long, () => present.signal);
  leaving.abort();
  expect(await abandoned).toBe(false);
  expect(await isWaiting(next)).toBe(true);
  turns.end();
  expect(await next).toBe(true);
  expect(await turns.begin(long, () => AbortSignal.abort())).toBe(false);
});

it('does not watch a client whose task begins immediately', async () => {
  const turns = new Turns(1);
  expect(await turns.begin(long, () => AbortSignal.abort())).toBe(true);
});
