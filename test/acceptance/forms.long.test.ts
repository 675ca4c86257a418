import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { everyKind, linaSecret, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { LocalService } from '#test/support/processes.ts';
import type { Document } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
let folder: string;
let service: LocalService;

const field = (ref: string, type: string, validations: object) => ({
  id: `ff_${ref}`,
  ref,
  title: { en: ref },
  type,
  validations,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forms-'));
  const document = everyKind(workspaceId);
  document.forms[0].fields.push(field('code', 'TEXT', { pattern: '[A-Z]{2}-\\d{3}' }), field('cv', 'FILE', {}));
  const file = join(folder, 'workspace.json');
  await writeFile(file, JSON.stringify(document));
  service = await LocalService.start('--workspace', file);
});

afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await rm(folder, { recursive: true });
});

const address = () => `${service.url}/api/public/forms/form-1?apiKey=${siteSecret(workspaceId)}`;

const jsonOf = (answer: Response): Promise<Document> => answer.json() as Promise<Document>;

async function submit(body: object, more: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', ...more };
  const answer = await fetch(address(), { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, id: answer.headers.get('x-form-response-id'), json: await jsonOf(answer) };
}

describe('a form of the deployed service', () => {
  it('is read and answered', async () => {
    const form = await jsonOf(await fetch(address()));
    expect(form.fields.map(({ ref }: { ref: string }) => ref)).toEqual(['code', 'cv', 'email']);
    expect(await submit({ email: 'a@b.co' })).toEqual({
      status: 200,
      id: expect.stringMatching(/^res_/),
      json: { message: 'Submited form successfully.' },
    });
  });

  it('matches patterns', async () => {
    expect((await submit({ email: 'a@b.co', code: 'AB-123' })).status).toBe(200);
    const { status, json } = await submit({ email: 'a@b.co', code: 'AB-1234' });
    expect([status, json.errors]).toMatchObject([400, [{ path: 'code', code: 'pattern' }]]);
  });

  it('takes a file that was sent to the bucket directly', async () => {
    const announced = await fetch(`${service.url}/api/v1/connect/attachments/announce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': linaSecret(workspaceId) },
      body: JSON.stringify({ files: [{ name: 'cv.pdf', type: 'application/pdf', size: 3 }] }),
    });
    const { id, upload } = (await jsonOf(announced)).files[0];
    expect((await submit({ email: 'a@b.co', cv: id })).status).toBe(400);
    const { method, url, headers } = upload;
    expect((await fetch(url, { method, headers, body: 'cv!' })).status).toBe(200);
    expect((await submit({ email: 'a@b.co', cv: id })).status).toBe(200);
  });

  it('stores a repeated submit one time', async () => {
    const once = { 'idempotency-key': 'once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit({ email: 'once@b.co' }, once)));
    expect(new Set(answers.map(({ status, id }) => `${status} ${id}`)).size).toBe(1);
    expect((await submit({ email: 'twice@b.co' }, once)).status).toBe(422);
  });
});
