import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { builtGroup } from '#lib/bundle/built-files.ts';
import { bundleFunctions } from '#lib/bundle/bundle-functions.ts';
import { groupNames } from '#lib/bundle/make-files.ts';
import { describedRoutes } from '#lib/openapi/document.ts';

const kilobyte = 1_024;

/** The size limit of a function by the first word of its name. A cold start reads and compiles every byte. */
const kilobytesMax: Readonly<Record<string, number>> = {
  // It reads the compressed table of routes, to answer 405 for a path with other methods.
  route: 20,
  // Its files are beside it, so a page does not wait for the description of the API.
  public: 44,
  cms: 450,
  menu: 450,
  form: 450,
  collections: 450,
  records: 450,
  schedules: 450,
  schema: 450,
  events: 450,
  manage: 450,
  access: 480,
  session: 450,
  profile: 450,
  attachments: 620,
  asset: 620,
  media: 620,
  ai: 620,
  conversation: 450,
  conversations: 450,
  message: 450,
  messages: 450,
  visitor: 450,
  webhook: 450,
  webhooks: 620,
};

/** Only a large record loads the bucket's client, for its history. */
const history = 'files+history-files.js';

const onDemand: Readonly<Record<string, readonly string[]>> = {
  'ai-reply-stream': ['ai+bedrock+bedrock-engine.js', 'ai+offline+offline-engine.js'],
  'message-send': ['files+read-file.js'],
  'access-member-invite': ['invitations+by-mail.js', 'invitations+by-user-pool.js'],
  'form-submit': ['files+read-file.js', 'patterns+compile.js'],
  // Functions that write forms import the engine of patterns, which only a change of a form with patterns loads.
  ...Object.fromEntries(
    ['changes', 'create', 'replace', 'restore', 'update'].map((verb) => [
      `manage-${verb}`,
      [history, 'patterns+compile.js'],
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['create', 'delete', 'replace', 'update'].map((verb) => `schema-${verb}`),
      ...['create', 'delete', 'key-rotate', 'replace', 'update'].map((verb) => `access-${verb}`),
      ...['cms-entry-update', 'manage-delete', 'manage-get', 'manage-list', 'schedules-apply', 'webhook-rotate'],
    ].map((name) => [name, [history]]),
  ),
  'public-files': (await Promise.all(groupNames.map(builtGroup))).flatMap((group) => [...group.keys()]),
};

const folder = await mkdtemp(join(tmpdir(), 'bundle-size-'));
const bundles = await bundleFunctions(undefined, join(folder, 'build', 'functions'));
/** The first words of each description. */
const words = (await describedRoutes()).map(({ description }) => description.text.slice(0, 40));
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

  it.each(bundles.map(({ name, file }) => [name, file] as const))(
    '%s contains no words of the API description',
    (_, file) => {
      const code = readFileSync(file, 'utf8');
      expect(words.filter((text) => code.includes(text))).toEqual([]);
    },
  );

  it.each(bundles.map(({ name, file }) => [name, file] as const))('%s looks for no settings in files', (_, file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE/);
  });
});
