import * as z from 'zod/mini';
import { defineTool } from './tool.ts';

/**
 * Gives the conversation to the team, together with the reply: nothing happens if the reply fails
 * (lib/spec/additions.md section 3, "Hand-over").
 */
export const handOver = defineTool({
  name: 'hand_over',
  description:
    'Hands the conversation over to the team. Call it when the customer asks for a person, or when you cannot help; then tell the customer that a member of the team will answer here.',
  input: z.object({}),
  run: async (_, context) => {
    context.handOver();
    return { answer: { handedOver: true }, sources: [] };
  },
});
