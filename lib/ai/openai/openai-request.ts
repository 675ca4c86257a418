import type { EngineRequest, Turn } from '../engine.ts';
import { inputObject } from '../tool-input.ts';
import type { Dialect } from './dialect.ts';

/** The body of a streaming chat completion, with widely supported parameters only. */
export const openAiBody = (
  request: EngineRequest,
  { maxTokensField, takesTemperature, reasoningEffort }: Dialect,
): string => {
  const { model, system, messages, tools, toolChoice, maxTokens, temperature } = request;
  return JSON.stringify({
    model,
    stream: true,
    ...(request.dialect?.reportsTokens !== false && { stream_options: { include_usage: true } }),
    [maxTokensField]: maxTokens,
    ...(temperature !== undefined && takesTemperature && { temperature }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
      ...(toolChoice === 'none' && { tool_choice: 'none' }),
    }),
    messages: [{ role: 'system', content: system }, ...conversation(messages)],
  });
};

interface ChatMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** Consecutive turns of one side become one message: many models' templates need alternating turns. */
function conversation(turns: readonly Turn[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const message of turns.flatMap(messagesOf)) {
    const last = messages.at(-1);
    if (last?.role === message.role && isPlainMessage(last) && isPlainMessage(message)) {
      messages.splice(-1, 1, { ...last, content: `${last.content}\n\n${message.content}` });
    } else messages.push(message);
  }
  return messages;
}

const isPlainMessage = (message: ChatMessage): boolean => !message.tool_calls && message.tool_call_id === undefined;

function messagesOf(turn: Turn): ChatMessage[] {
  if (turn.role === 'tool') {
    return turn.results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }));
  }
  if (turn.role === 'user' || !turn.toolCalls?.length) return [{ role: turn.role, content: turn.text }];
  const calls = turn.toolCalls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(inputObject(input)) },
  }));
  return [{ role: 'assistant', content: turn.text, tool_calls: calls }];
}
