import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { checkNames, smoke } from '#lib/infra/smoke.ts';
import { openTarget, type Target } from '#test/support/target.ts';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});

/** The lines of a run with this key. */
async function linesWith(key: string, url = target.url): Promise<string[]> {
  const lines: string[] = [];
  await smoke({ url, key, website: 'saffron.example' }, ['preflight'], (line) => lines.push(line));
  return lines;
}

describe('the smoke script', () => {
  it('finds nothing wrong with a service that runs, and leaves out what the key may not do', async () => {
    const lines = [...(await linesWith(target.keys.site)), ...(await linesWith(target.keys.desk))];
    expect(lines.filter((line) => line.startsWith('WRONG'))).toEqual([]);
    const right = new Set(lines.filter((line) => line.startsWith('right')).map((line) => line.slice(9)));
    const others = ['preflight', 'transaction that a role denies'];
    expect([...right, ...others].sort()).toEqual([...checkNames].sort());
  });

  it('says of each check what is wrong with a server that is not the service', async () => {
    const other = createServer({ maxHeaderSize: 100_000 }, (_, answer) => answer.end('Hello.')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const lines = await linesWith(target.keys.site, `http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    other.close();
    expect(lines.filter((line) => line.startsWith('right'))).toEqual([]);
    expect(lines).toContain('WRONG    no key: 200 Hello., and not 401 missing_api_key with x-request-id');
  });
});
