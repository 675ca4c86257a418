import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { copiedFiles } from '#lib/reference/copied-files.ts';

const kilobyte = 1_024;

/** What a function may weigh by the first word of its name: every byte is read and compiled at a cold start. */
const kilobytesMax: Readonly<Record<string, number>> = {
  route: 15,
  home: 30,
  api: 160,
  cms: 450,
  menu: 450,
  form: 450,
  collections: 450,
  attachments: 620,
  asset: 620,
  ai: 620,
};

const onDemand: Readonly<Record<string, readonly string[]>> = {
  'ai-reply-stream': ['ai+bedrock+bedrock-engine.js', 'ai+offline+offline-engine.js'],
  'form-submit': ['files+object-size.js', 'patterns+compile.js'],
  'api-reference-file': copiedFiles,
};

const folder = await mkdtemp(join(tmpdir(), 'bundle-size-'));
const bundles = await bundleFunctions(undefined, join(folder, 'build', 'functions'));
afterAll(() => rm(folder, { recursive: true }));

describe('the bundle of', () => {
  it.each(bundles.map(({ name, file }) => [name, file] as const))('%s is small enough to start fast', (name, file) => {
    const kilobytes = Math.ceil(statSync(file).size / kilobyte);
    expect(kilobytes).toBeLessThanOrEqual(kilobytesMax[name.split('-', 1)[0] ?? ''] ?? 0);
  });

  it.each(bundles.map(({ name, folder: own }) => [name, own] as const))(
    '%s has beside it only what is read or loaded on demand',
    (name, own) => {
      expect(readdirSync(own).sort()).toEqual([...(onDemand[name] ?? []), 'index.js', 'package.json'].sort());
    },
  );

  it.each(bundles.map(({ name, file }) => [name, file] as const))('%s looks for no settings in files', (_, file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE/);
  });
});
