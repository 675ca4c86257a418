import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { bundleFunctions } from '#lib/bundle.ts';

const kilobyte = 1_000;

/** What a function may weigh by the first word of its name: every byte is read and compiled at a cold start. */
const kilobytesMax: Readonly<Record<string, number>> = {
  route: 10,
  cms: 450,
  menu: 450,
  form: 450,
  attachments: 620,
  asset: 620,
  ai: 620,
};

const folder = await mkdtemp(join(tmpdir(), 'bundle-size-'));
const bundles = await bundleFunctions(undefined, join(folder, 'build', 'functions'));
afterAll(() => rm(folder, { recursive: true }));

describe('the bundle of', () => {
  it.each(bundles.map(({ name, file }) => [name, file] as const))('%s is small enough to start fast', (name, file) => {
    const kilobytes = Math.ceil(statSync(file).size / kilobyte);
    expect(kilobytes).toBeLessThanOrEqual(kilobytesMax[name.split('-', 1)[0] ?? ''] ?? 0);
  });
});
