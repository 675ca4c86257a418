import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, callFunction } from '#test/support/call.ts';
import { store } from '#test/support/drive.ts';
import { S3FaultProxy } from '#test/support/s3-fault-proxy.ts';
import { openWorkspace, type Workspace } from '#test/support/workspace.ts';

let proxy: S3FaultProxy;
let mine: Workspace<'drive'>;
let theirs: Workspace<'drive'>;
let key: string;
let theirKey: string;

const textFile = (drive: Workspace<'drive'>) => ({
  name: 'a.txt',
  type: 'text/plain',
  bytes: Buffer.from(drive.canary),
});

beforeAll(async () => {
  [mine, theirs] = await Promise.all([openWorkspace('drive'), openWorkspace('drive')]);
  key = await store(mine, textFile(mine));
  theirKey = await store(theirs, textFile(theirs));
  proxy = await S3FaultProxy.start();
  process.env['AWS_ENDPOINT_URL_S3'] = proxy.url;
});

afterAll(() => proxy.stop());

const ask = (path: string) => call(`GET ${path}`, { key: mine.keys.bothByBoth });

/** Paths below the own prefix that aim at the other workspace's file, or at no file. */
const tricks: readonly ((own: string, other: string) => string)[] = [
  (own, other) => `${own}/../../${other}`,
  (own, other) => `${own}/../${other.slice('workspaces/'.length)}`,
  (own, other) => `${own}/./../${other.slice('workspaces/'.length)}`,
  (own, other) => `${own}/drive/../../${other.slice('workspaces/'.length)}`,
  (own, other) => `${own}/drive/messaging/../../../${other.slice('workspaces/'.length)}`,
  (own, other) => `${own}/%2e%2e/%2e%2e/${other}`,
  (own, other) => `${own}/%2E%2E%2F%2E%2E%2F${other}`,
  (own, other) => `${own}/..%2f..%2f${other}`,
  (own, other) => `${own}/.%2e/%2e./${other}`,
  (own, other) => `${own}/%252e%252e/%252e%252e/${other}`,
  (own, other) => `${own}/%252e%252e%252f${other}`,
  (own, other) => `${own}/..%5c..%5c${other}`,
  (own, other) => `${own}/..\\..\\${other}`,
  (own, other) => `${own}/....//....//${other}`,
  (own, other) => `${own}/..;/..;/${other}`,
  (own, other) => `${own}/%c0%ae%c0%ae/${other}`,
  (own, other) => `${own}/%uff0e%uff0e/${other}`,
  (own, other) => `${own}/%EF%BC%8E%EF%BC%8E/${other}`,
  (own, other) => `${own}/%E2%80%A5/${other}`,
  (own, other) => `${own}/%00/../../${other}`,
  (own, other) => `${own}//${other}`,
  (own, other) => `${own}///../../${other}`,
  (own, other) => `${own}/http://127.0.0.1/${other}`,
  (own, other) => `${own}/%0d%0aX-Evil:%201/${other}`,
  (own, other) => `${own}/?/../../${other}`,
  (own, other) => `${own}/%3f/../../${other}`,
  (own, other) => `${own}/%23/../../${other}`,
  (own) => `${own}/.`,
  (own) => `${own}/..`,
  (own) => `${own}/drive/messaging/`,
  (own) => `${own}/drive/messaging`,
  (own) => `${own}/drive//messaging/2026-01/a/b`,
  (own) => `${own}/drive/messaging/2026-01/./a/b`,
  (own) => `${own}/`,
  (own) => `${own}/%20`,
  (own) => `${own}/${'a'.repeat(2_048)}`,
  (own) => `${own}/${'a/'.repeat(500)}b`,
  (own) => `${own}/drive/messaging/2026-01/%E2%80%AEtxt.exe`,
  (own) => `${own}/drive/messaging/2026-01/%F0%9F%98%80/x`,
  (own) => `${own}/drive/messaging/2026-01/att_1/a%2Fb%2F..%2Fc`,
];

describe('a path below the own prefix', () => {
  it.each(tricks.map((trick, index) => [index, trick] as const))(
    'reaches no other file: trick %d',
    async (_, trick) => {
      proxy.heal();
      const path = `/api/v1/connect/assets/${trick(`workspaces/${mine.workspaceId}`, theirKey)}`;
      // With the route of the local front, and without a route as from a function URL.
      const answers = await Promise.all([
        ask(path).catch(() => undefined),
        callFunction('asset-download', `GET ${path}`, { key: mine.keys.bothByBoth }),
      ]);
      for (const answer of answers) {
        if (!answer) continue;
        expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
        expect(answer.text).not.toContain(theirs.canary);
      }
      expect(proxy.calls).toEqual([]);
    },
  );

  it('finds the file when every segment is encoded', async () => {
    const encoded = [...key].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    for (const path of [key, encoded, key.replaceAll('/', '%2F'), key.replace('workspaces', '%77orkspaces')]) {
      expect((await ask(`/api/v1/connect/assets/${path}`)).text).toBe(mine.canary);
    }
  });
});

describe('a path outside the own prefix', () => {
  it.each<(own: string, other: string) => string>([
    (_, other) => other,
    (own, other) => `../${own}/${other}`,
    (own) => `./${own}`,
    (own) => `/${own}`,
    (own) => own.toUpperCase(),
    (own) => own.replace('workspaces', 'Workspaces'),
    (own) => `${own}x/drive/messaging/2026-01/a/b`,
    (own) => own,
    (own) => own.replace('/', '%5C'),
    (own) => `x/../${own}`,
    (own) => `%00${own}`,
    (own, other) => `${own}%00/${other}`,
    (own) => `%20${own}`,
    (own) => `s3://bucket/${own}`,
    (_, other) => `workspaces/*/${other}`,
    () => 'workspaces',
    () => '..',
    () => '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  ])('is refused without a read (%#)', async (trick) => {
    proxy.heal();
    const path = `/api/v1/connect/assets/${trick(`workspaces/${mine.workspaceId}`, theirKey)}`;
    const answer = await ask(path);
    expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
    expect(proxy.calls).toEqual([]);
  });
});
