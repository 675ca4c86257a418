import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { workspaceTools } from '#lib/messaging/tools/workspace-tools.ts';
import { newMeter, tableClient } from '#lib/table/dynamodb/client.ts';
import { keys } from '#lib/table/keys.ts';
import { Table } from '#lib/table/table.ts';
import { call } from '#test/support/call.ts';
import { FaultProxy } from '#test/support/fault-proxy.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import type { CalledTool } from '#test/support/model-server.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { message } from '#test/support/presets/chat.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const proxy = await FaultProxy.start();
const client = tableClient('request', { endpoint: proxy.url });
afterAll(async () => {
  client.destroy();
  await proxy.stop();
});

/** The tools of one reply, with a meter of their reads. */
function toolsOfReply(workspaceId: string) {
  const meter = newMeter();
  const table = new Table({ client, name: process.env['TABLE_NAME'] ?? '', meter });
  const workspace = { languages: ['en'], defaultLanguage: 'en', currency: null };
  const options = { table, scope: { workspaceId }, workspace, agent: {}, language: 'en', handOver: () => undefined };
  const { call: run } = workspaceTools(options);
  const search = (query: string) => run({ id: 'call_1', name: 'search_cms', input: { query } });
  return { meter, search };
}

const textField = (key: string, rest: object = {}) => ({ key, name: { en: key }, type: 'longText', ...rest });

describe('CMS searches', () => {
  const openPages = (bytesPerEntry: number) =>
    openWorkspace('kitchen', ({ cms, apiKeys }) => {
      apiKeys[0].permissions.push('cms:entry:update');
      cms.models.push({ id: 'pages', name: { en: 'Pages' }, fields: [textField('title'), textField('body')] });
      for (let number = 1; number <= 60; number++) {
        const body = `lamb number${number} ${'filler '.repeat(bytesPerEntry / 7)}`;
        cms.entries.push({ id: `page_${number}`, modelId: 'pages', values: { title: `Page ${number}`, body } });
      }
    });

  it('CMS searches read the workspace when its entries have changed, and not again', async () => {
    const room = await openPages(40_000);
    const searches = async (...words: string[]) => {
      const { meter, search } = toolsOfReply(room.workspaceId);
      const outputs = await Promise.all(words.map(search));
      return { units: meter.readUnits, outputs: outputs.map(({ output }) => output) };
    };
    const words = Array.from({ length: 16 }, (_, index) => `number${index + 1}`);
    expect((await searches('lamb')).units).toBeGreaterThan(500);
    const { units } = await searches(...words);
    expect(units).toBeLessThan(200);
    const body = { values: { body: 'venison' } };
    const answer = await call('PATCH /api/public/cms/pages/page_3', { key: room.keys.reader, body });
    expect(answer.status).toBe(200);
    const changed = await searches('venison');
    expect(changed.outputs[0]).toContain('page_3');
    expect(changed.units).toBeGreaterThan(500);
  });

  it('CMS searches of parallel replies share one read of the workspace', async () => {
    const { workspaceId } = await openPages(10_000);
    const replies = Array.from({ length: 8 }, () => toolsOfReply(workspaceId));
    // The first page of the reading is held until every reply waits for it.
    const everyReplyWaits = { kind: 'late', meanwhile: () => proxy.calm(1) } as const;
    proxy.plan('Query', everyReplyWaits, 1, keys.cmsEntries(workspaceId, 'pages'));
    const outcomes = await Promise.all(replies.map(({ search }) => search('number7')));
    for (const { output } of outcomes) expect(JSON.parse(output).results[0].id).toBe('page_7');
    const units = replies.map(({ meter }) => meter.readUnits);
    expect(units.reduce((sum, one) => sum + one)).toBeLessThan(2 * Math.max(...units));
  });
});

describe('a related entry in search results', () => {
  it('shows its current name, and no name once it is unpublished, also in a large workspace', async () => {
    const room = await openWorkspace('kitchen', ({ cms, apiKeys }) => {
      apiKeys[0].permissions.push('cms:entry:update');
      cms.models.push(
        { id: 'cooks', name: { en: 'Cooks' }, fields: [{ key: 'name', name: { en: 'Name' }, type: 'text' }] },
        {
          id: 'notes',
          name: { en: 'Notes' },
          fields: [
            textField('title'),
            { key: 'author', name: { en: 'Author' }, type: 'relation', relation: { to: 'cms:cooks' } },
          ],
        },
      );
      cms.entries.push({ id: 'cook_1', modelId: 'cooks', values: { name: 'OLDNAME' } });
      for (let number = 1; number <= 510; number++) {
        const values = { title: `Pumpkin note ${number}`, author: 'cook_1' };
        cms.entries.push({ id: `note_${number}`, modelId: 'notes', values });
      }
    });
    const search = async () => (await toolsOfReply(room.workspaceId).search('pumpkin')).output;
    const update = async (values: object) => {
      const answer = await call('PATCH /api/public/cms/cooks/cook_1', { key: room.keys.reader, body: { values } });
      expect(answer.status).toBe(200);
    };
    expect(await search()).toContain('OLDNAME');
    await update({ name: 'NEWNAME' });
    expect(await search()).toContain('NEWNAME');
    await update({ published: false });
    const output = await search();
    expect(output).toContain('Pumpkin note');
    expect(output).not.toMatch(/OLDNAME|NEWNAME/);
  });
});

describe('the tokens of a day', () => {
  // A day that ends during a test would begin another count.
  freezeDate();
  const perDay = 20_000;
  beforeEach(() => void Object.assign(process.env, { AI_TOKENS_PER_DAY: String(perDay) }));
  afterAll(() => void delete process.env['AI_TOKENS_PER_DAY']);

  const looksUp: readonly CalledTool[] = Array.from({ length: 8 }, (_, index) => ({
    id: `call_${index}`,
    name: 'search_cms',
    input: { query: `pumpkin ${index}` },
  }));
  /** Roughly the service's estimate where the server reports no count. */
  // biome-ignore lint/suspicious/noExplicitAny: a body of the wire.
  const tokensOf = ({ body }: { body: any }): number => Buffer.byteLength(JSON.stringify(body)) / 3;

  it('are exceeded by at most one call for each running reply, and every reply ends', async () => {
    const model = await startOpenAiServer();
    process.env['OPENAI_BASE_URL'] = model.url;
    const room = await openWorkspace('chat', (document) => {
      const { messages } = document.messaging;
      document.cms = {
        models: [{ id: 'notes', name: { en: 'Notes' }, fields: [textField('title'), textField('body')] }],
        entries: Array.from({ length: 40 }, (_, index) => ({
          id: `note_${index}`,
          modelId: 'notes',
          values: { title: `Pumpkin ${index}`, body: 'pumpkin soup. '.repeat(60) },
        })),
      };
      for (let number = 1; number <= 12; number++) messages.push(message(`ask_${number}`, number + 10));
    });
    // The server reports no count, so the service counts its estimate.
    const greedy = (body: { tool_choice?: string }) =>
      body.tool_choice === 'none'
        ? ({ say: ['That is all.'], end: 'mark, then reset' } as const)
        : ({ say: [], call: looksUp, end: 'mark, then reset' } as const);
    model.answer(greedy);
    const asked = Array.from({ length: 12 }, (_, index) => room.ask({ lastMessageId: `ask_${index + 1}` }));
    const ends = (await Promise.all(asked)).map(({ end }) => end);
    const costs = model.calls.map(tokensOf);
    const total = costs.reduce((sum, one) => sum + one, 0);
    expect(ends.some(({ type }) => type === 'done')).toBe(true);
    for (const end of ends) {
      if (end.type === 'error') expect(end.error).toBe('This workspace has used up its AI replies for today.');
    }
    expect(total).toBeLessThanOrEqual(perDay + ends.filter(({ type }) => type === 'done').length * Math.max(...costs));
    const before = model.calls.length;
    expect((await room.ask({ lastMessageId: 'msg_1' })).end.type).toBe('error');
    expect(model.calls.length).toBe(before);
    await model.close();
  });
});
