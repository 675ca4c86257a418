import { expect, it } from '@jest/globals';
import { AiRuns } from '#lib/table/messaging/ai-runs.ts';
import { storedRecords } from '#test/support/document-text.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

it('a reply that another request generates is awaited no longer than the function may run', async () => {
  const room = await openWorkspace('chat');
  const { workspaceId } = room;
  const subject = { conversationId: 'conv_1', agentId: 'agent_1', messageId: 'msg_3' };
  await new AiRuns(testTable(), { workspaceId }, subject).claim('elsewhere');
  const before = await storedRecords(workspaceId, 'message');
  const { events } = await room.ask();
  expect(events).toEqual([{ type: 'error', error: 'A reply to this message is already being generated.' }]);
  expect(await storedRecords(workspaceId, 'message')).toEqual(before);
});
