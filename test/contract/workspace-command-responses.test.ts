import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '#test/support/call.ts';
import { type CommandResult, Engines, runCommandLine } from '#test/support/command-line.ts';
import { everyKind, newWorkspaceId, siteSecret } from '#test/support/every-kind.ts';
import { type Document, storeWorkspace } from '#test/support/world.ts';

const workspaceId = newWorkspaceId();
let service: Engines;

const field = (ref: string, type: string, order: number) => ({ id: `ff_${ref}`, ref, title: { en: ref }, type, order });

function documentOf(): Document {
  const document = everyKind(workspaceId);
  document.forms[0].fields.push(field('note', 'TEXTAREA', 3), field('amount', 'NUMBER', 2));
  document.forms[1].fields = [...(document.forms[1].fields ?? []), field('cv', 'FILE', 9)];
  document.forms[1].slug = 'نموذج';
  document.formResponses.push({
    id: 'res_2',
    formId: 'form_2',
    answers: { email: 'c@d.co', cv: ['att_1', 'att_gone'] },
  });
  return document;
}

const run = (...args: string[]): Promise<CommandResult> => runCommandLine(['responses', ...args, '--url', service.url]);
const submit = async (slug: string, body: object): Promise<number> => {
  const address = `/api/public/forms/${encodeURIComponent(slug)}?apiKey=${siteSecret(workspaceId)}`;
  return (await call(`POST ${address}`, { body })).status;
};

beforeAll(async () => {
  await storeWorkspace(documentOf());
  service = await Engines.open();
  expect(await submit('form-1', { email: 'lina@example.com', note: '=HYPERLINK("x")\nنور', amount: -5 })).toBe(200);
});

afterAll(() => service.stop());

describe('responses', () => {
  it('are written as a table, with the fields in the order of the form', async () => {
    const { code, out, errors } = await run('--workspace', workspaceId, '--form', 'form-1');
    expect([code, errors]).toEqual([0, 'Reading responses\n']);
    const [head, ...rows] = out.split('\r\n');
    expect(head).toBe('\ufeff"id","createdAt","email","amount","note","otherAnswers","meta"');
    expect(rows).toContain('"res_1","2026-01-07T09:00:00.000Z","a@b.co","","","{""size"":[""s""]}","{""_ip"":1}"');
    expect(rows.find((row) => row.includes('lina@example.com'))).toMatch(/,-5,"'=HYPERLINK\(""x""\)\nنور","",""$/);
    expect(rows).toHaveLength(3);
    expect(await run('--workspace', workspaceId, '--form', 'form-1', '--format', 'csv')).toEqual({ code, out, errors });
  });

  it('show name, type and link of files, and only the id of a deleted file', async () => {
    const { out } = await run('--workspace', workspaceId, '--form', 'نموذج');
    const { name, type, s3Key } = everyKind(workspaceId).attachments[0];
    expect(out).toContain(`"${name} (${type}) ${service.url}/api/v1/connect/assets/${s3Key}; att_gone"`);
  });

  it('are written as JSON, only those of the form', async () => {
    const { code, out } = await run('--workspace', workspaceId, '--form', 'نموذج', '--format', 'json');
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      [{ id: 'res_2', formId: 'form_2', answers: { email: 'c@d.co', cv: ['att_1', 'att_gone'] } }],
    ]);
  });

  it.each([
    ['without the workspace', ['--form', 'form-1'], 2, 'Missing option: --workspace.'],
    ['without the form', ['--workspace', workspaceId], 2, 'Missing option: --form.'],
    [
      'in another format',
      ['--workspace', workspaceId, '--form', 'form-1', '--format', 'xlsx'],
      2,
      'must be csv or json',
    ],
    ['of an unknown workspace', ['--workspace', 'ws_none', '--form', 'form-1'], 1, 'There is no workspace ws_none.'],
    [
      'of an unknown form',
      ['--workspace', workspaceId, '--form', 'form_1'],
      1,
      `The workspace ${workspaceId} has no form form_1.`,
    ],
  ])('%s are refused with a sentence', async (_, args, expected, sentence) => {
    const { code, out, errors } = await run(...args);
    expect([code, out]).toEqual([expected, '']);
    expect(errors).toContain(sentence);
  });
});
