import type { ContentBlock, ConverseStreamCommandInput, Message, Tool } from '@aws-sdk/client-bedrock-runtime';
import type { BedrockSettings, EngineRequest, Turn } from '../engine.ts';
import { inputObject } from '../tool-input.ts';

/** A request of ConverseStream. */
export function bedrockInput(request: EngineRequest, { guardrail }: BedrockSettings): ConverseStreamCommandInput {
  const { model, system, messages, tools, toolChoice, maxTokens, temperature, dialect } = request;
  const marks = dialect?.cachesPrompts ? [cachePoint] : [];
  return {
    modelId: model,
    ...(system !== '' && { system: [{ text: system }, ...marks] }),
    messages: conversation(toolChoice === 'none' ? [...messages, answerNow] : messages),
    inferenceConfig: { maxTokens, ...(temperature !== undefined && { temperature: Math.min(1, temperature) }) },
    // Bedrock cannot forbid tools. After their first use, every request must list them.
    ...(tools.length > 0 && { toolConfig: { tools: [...tools.map(toolOf), ...marks] } }),
    ...(guardrail && {
      guardrailConfig: {
        guardrailIdentifier: guardrail.id,
        guardrailVersion: guardrail.version,
        // The guardrail checks the text before it is sent.
        streamProcessingMode: 'sync',
      },
    }),
  };
}

/** The part of the request before this point is the same in every call of a reply. */
const cachePoint = { cachePoint: { type: 'default' } } as const;

const answerNow: Turn = { role: 'user', text: 'Answer now with what you have; nothing more can be looked up.' };

const toolOf = ({ name, description, inputSchema }: EngineRequest['tools'][number]): Tool =>
  ({ toolSpec: { name, description, inputSchema: { json: inputSchema } } }) as Tool;

/** Bedrock requires alternating turns, with the user's first. */
function conversation(turns: readonly Turn[]): Message[] {
  const messages: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(turn);
    if (content.length === 0 || (messages.length === 0 && role === 'assistant')) continue;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  }
  return messages;
}

/** Omits blank texts, which Bedrock refuses. */
function blocksOf(turn: Turn): ContentBlock[] {
  if (turn.role === 'tool') {
    return turn.results.map(({ id, output }) => ({
      toolResult: { toolUseId: id, content: [{ json: JSON.parse(output) }] },
    }));
  }
  const text: ContentBlock[] = turn.text.trim() === '' ? [] : [{ text: turn.text }];
  const calls = turn.role === 'assistant' ? (turn.toolCalls ?? []) : [];
  return [
    ...text,
    ...calls.map(({ id, name, input }) => ({
      toolUse: { toolUseId: id, name, input: inputObject(input) },
    })),
  ] as ContentBlock[];
}
