import { afterAll, describe, expect, it } from '@jest/globals';
import { exported, storedRecords } from '#test/support/document-text.ts';
import { startOpenAiServer } from '#test/support/openai-server.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const model = await startOpenAiServer();
process.env['OPENAI_BASE_URL'] = model.url;
afterAll(() => model.close());

/** A room whose agent has these settings, and a product. */
const openRoom = (settings: object = {}) =>
  openWorkspace('chat', (document) => {
    document.menu = {
      categories: [{ id: 'cat_1', slug: 'rice', name: { en: 'Rice' } }],
      products: [
        {
          id: 'prod_1',
          slug: 'kabsa',
          categoryId: 'cat_1',
          name: { en: 'Kabsa' },
          priceOptions: [{ id: 'po', price: 48 }],
        },
      ],
    };
    Object.assign(document.messaging.agents[0], settings);
  });

const repliesOf = async (workspaceId: string) =>
  (await storedRecords(workspaceId, 'message')).filter(
    ({ senderType }: { senderType: string }) => senderType === 'agent',
  );

describe('the stream of a reply', () => {
  it('ends with an error and stores nothing if reasoning has been shown; a retry generates again', async () => {
    const room = await openRoom();
    model.answer({ say: ['The customer is annoying.', '\n</think>\n\nHello world'], pause: 100 });
    const { text, end } = await room.ask();
    expect(end).toEqual({ type: 'error', error: 'The reply could not be generated.' });
    expect(text).not.toContain('Hello');
    expect(text).not.toContain('think');
    expect(await repliesOf(room.workspaceId)).toEqual([]);
    model.answer({ say: ['Hello world'] });
    expect((await room.ask()).end).toMatchObject({ type: 'done', text: 'Hello world' });
  });

  it('shows nothing before the end of the reasoning if the agent says that its model reasons', async () => {
    const room = await openRoom({ reasoning: true });
    model.answer({ say: [...'The customer is annoying.\n</think>\n\nHello world<|im_end|>'] });
    const { text, end } = await room.ask();
    expect(end).toMatchObject({ type: 'done', text: 'Hello world' });
    expect(text).not.toMatch(/annoying|think|im_end/);
    expect(await repliesOf(room.workspaceId)).toMatchObject([{ text: 'Hello world' }]);
    expect((await exported(room.workspaceId)).messaging.agents).toContainEqual(
      expect.objectContaining({ id: 'agent_1', reasoning: true }),
    );
  });

  it('runs a call that is written as text, and only with a tool of the agent', async () => {
    const call = '<tool_call>{"name":"search_menu","arguments":{"query":"kabsa"}}</tool_call>';
    const room = await openRoom({ tools: ['search_menu'] });
    model.answer({ say: ['I look. ', call] }, { say: ['The Kabsa is 48 SAR.'] });
    const { text, end } = await room.ask();
    expect(end).toMatchObject({ type: 'done', text: 'I look. The Kabsa is 48 SAR.' });
    expect(text).not.toContain('tool_call');
    expect(model.calls).toHaveLength(2);
    expect(JSON.stringify(model.calls[1]?.body.messages)).toContain('\\"price\\":48');
    expect(await repliesOf(room.workspaceId)).toMatchObject([{ citations: [{ kind: 'product', id: 'prod_1' }] }]);

    const other = await openRoom({ tools: ['get_form'] });
    model.answer({ say: [call] }, { say: ['I do not know.'] });
    expect((await other.ask()).end).toMatchObject({ type: 'done', text: 'I do not know.' });
    const result = JSON.stringify(model.calls[1]?.body.messages);
    expect(result).toContain('There is no such tool.');
    expect(result).not.toContain('48');
  });
});
