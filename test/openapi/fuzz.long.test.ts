import { expect, it } from '@jest/globals';
import { ApiDocument, type Operation } from '#test/support/api-document.ts';
import { type Call, call } from '#test/support/call.ts';
import { demoKeys, openDemo } from '#test/support/demo-workspace.ts';
import { fc } from '#test/support/fast-check.ts';
import { formBody } from '#test/support/multipart.ts';
import { hostileAddress, hostileRequest } from './hostile-requests.ts';

/** The number of requests to each operation. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);
/** In milliseconds, for a machine with other load. */
const patience = 600_000 + 200 * numRuns;
const settings = { numRuns, timeout: 30_000 };

await openDemo();
const api = await ApiDocument.read();
const { json } = await call('POST /api/v1/connect/attachments', {
  key: demoKeys.desk,
  ...formBody([{ filename: 'note.txt', bytes: 'A note of some length.' }]),
});
const operations = api.operations.map((operation): [string, Operation] => [operation.operationId, operation]);
const known = { s3Key: json.files[0].s3Key, idsOf: await storedIds() };

const [uploads, announcements] = ['attachmentsUpload', 'attachmentsAnnounce'].map((name) =>
  api.operations.find(({ operationId }) => operationId === name),
) as [Operation, Operation];

/** They need an issuer of identities or a mail server, which this test does not start. */
const dependent: ReadonlySet<string> = new Set(['accessMemberInvite', 'sessionLogin', 'sessionCallback']);

it.each(operations)(
  '%s answers any request as described, and never with a 5xx',
  async (_, operation) => {
    const property = fc.asyncProperty(hostileRequest(operation, known), async ({ request, options }) => {
      const answer = await call(request, options);
      if (answer.status !== 503 || !dependent.has(operation.operationId)) expect(answer.status).toBeLessThan(500);
      if (request.startsWith('HEAD ')) expect(answer.text).toBe('');
      // A sign-in starts only with GET (lib/spec/additions.md section 6).
      if (request.startsWith('HEAD ') && dependent.has(operation.operationId)) return;
      expect(api.problemsOf(answering(operation, options), answer, request)).toEqual([]);
    });
    await fc.assert(property, settings);
  },
  patience,
);

it.each(operations)(
  'a path near that of %s gets the response of an unknown path, or of another endpoint',
  async (_, operation) => {
    const property = fc.asyncProperty(hostileAddress(operation, known), async (request) => {
      const { status, headers, json: body } = await call(request, { key: demoKeys.desk });
      expect(status).toBeLessThan(500);
      expect(headers['x-request-id']).toMatch(/./);
      if (status === 404 || status === 405) expect(Object.keys(body)).toContain('message');
    });
    // A presigned address is less specific than a request.
    await fc.assert(property, { ...settings, numRuns: Math.ceil(numRuns / 4) });
  },
  patience,
);

/** JSON at the address of uploads is an announcement, which is described at its own address. */
const answering = (operation: Operation, { headers = {} }: Pick<Call, 'headers'>): Operation =>
  operation === uploads && /^application\/json\b/i.test(headers['content-type'] ?? '') ? announcements : operation;

/** The first ids of every list whose records have an `id`. */
async function storedIds(): Promise<Record<string, string[]>> {
  const lists = api.operations.flatMap(({ path }) => (/^[^{]*\/\{id\}/.test(path) ? [path.split('/{')[0] ?? ''] : []));
  const ids: Record<string, string[]> = {};
  for (const list of new Set(lists)) {
    const answer = await call(`GET ${list}?limit=5`, {
      key: list.includes('/connect/') ? demoKeys.desk : demoKeys.admin,
    });
    if (answer.status === 200) ids[list] = answer.json.data.map(({ id }: { id: string }) => id);
  }
  expect(Object.keys(ids)).toContain('/api/v1/manage/menu-products');
  return ids;
}
