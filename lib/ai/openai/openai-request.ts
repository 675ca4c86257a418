import type { EngineRequest, Turn } from '../engine.ts';
import type { OpenAiSettings } from '../engine-settings.ts';

/** The body of a streaming chat completion, without anything that only some servers understand. */
export const openAiBody = (request: EngineRequest, settings: OpenAiSettings): string => {
  const { model, system, messages, tools, toolChoice, maxTokens, temperature } = request;
  return JSON.stringify({
    model,
    stream: true,
    ...(settings.includeUsage && { stream_options: { include_usage: true } }),
    [settings.maxTokensField]: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
      ...(toolChoice === 'none' && { tool_choice: 'none' }),
    }),
    messages: [{ role: 'system', content: system }, ...messages.flatMap(messagesOf)],
  });
};

function messagesOf(turn: Turn): object[] {
  if (turn.role === 'tool') {
    return turn.results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }));
  }
  if (turn.role === 'user' || !turn.toolCalls?.length) return [{ role: turn.role, content: turn.text }];
  const calls = turn.toolCalls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [{ role: 'assistant', content: turn.text, tool_calls: calls }];
}
