import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { LocalService, runWorkspace } from '#test/support/processes.ts';

/** A rare loss needs more kills to be found. */
const kills = Number(process.env['KILLS'] ?? 3);
const writers = 4;
const key = 'saffron-site-key-0000000000';

/** Sends responses until the service is killed. @returns the acknowledged messages */
async function sendResponses(url: string, name: string, acknowledged: string[]): Promise<void> {
  for (let count = 0; ; count++) {
    const message = `response ${name}-${count}`;
    const answers = { name: 'Huda', email: 'huda@example.com', subject: 'visit', message, consent: true };
    try {
      const { status } = await fetch(`${url}/api/public/forms/contact?apiKey=${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(answers),
      });
      if (status === 200) acknowledged.push(message);
    } catch {
      return;
    }
  }
}

it(
  'Every response that was acknowledged before a kill is there after it, and none of them twice',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'local-killed-'));
    const acknowledged: string[] = [];
    try {
      for (let kill = 1; kill <= kills; kill++) {
        const service = await LocalService.start('--data', data);
        const sending = Array.from({ length: writers }, (_, writer) =>
          sendResponses(service.url, `k${kill}w${writer}`, acknowledged),
        );
        const enough = acknowledged.length + writers + 20 * Math.random();
        while (acknowledged.length <= enough) await delay(1);
        await delay(20 * Math.random());
        await service.stop('SIGKILL');
        await Promise.all(sending);
      }
      const { code, out, errors } = await runWorkspace(['export', '--workspace', 'ws_saffron', '--data', data]);
      expect([code, errors]).toEqual([0, expect.any(String)]);
      const stored = [...out.matchAll(/response k\d+w\d+-\d+/g)].map(([message]) => message).sort();
      expect(acknowledged.length).toBeGreaterThan(kills * writers);
      expect(acknowledged.filter((message) => !stored.includes(message))).toEqual([]);
      expect(stored).toEqual([...new Set(stored)]);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  },
  60_000 + kills * 60_000,
);
