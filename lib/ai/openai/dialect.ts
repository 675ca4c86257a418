import type { ModelDialect } from '../model-choice.ts';

/** The parameters that a model supports. Servers with the same API differ in them. */
export interface Dialect {
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  readonly takesTemperature: boolean;
  readonly reasoningEffort: string | undefined;
}

/** Reasoning models, whose hidden reasoning is part of the output. */
const reasoningModel = /(?:^|\/)(?:gpt-5|o[1-9])/;
const ownHosts = /^(?:api\.openai\.com|[\w.-]+\.openai\.azure\.com)$/;

/** OpenAI's newer models refuse `max_tokens`, but many other servers support only that name. */
export function firstDialect(model: string, address: string, known: ModelDialect = {}): Dialect {
  const isOwn = ownHosts.test(new URL(address).hostname);
  return {
    maxTokensField: known.maxTokensField ?? (isOwn ? 'max_completion_tokens' : 'max_tokens'),
    takesTemperature: !(isOwn && reasoningModel.test(model)),
    // Otherwise the reasoning would use up the budget of a short reply.
    reasoningEffort: known.reasoningEffort ?? (isOwn && reasoningModel.test(model) ? 'low' : undefined),
  };
}

/**
 * The dialect to try after a 400.
 * @param text of the refusal, searched for names of our parameters
 * @returns undefined if it names no parameter that can be left out or renamed
 */
export function nextDialect(dialect: Dialect, text: string): Dialect | undefined {
  if (dialect.reasoningEffort !== undefined && text.includes('reasoning_effort')) {
    return { ...dialect, reasoningEffort: undefined };
  }
  if (dialect.takesTemperature && text.includes('temperature')) return { ...dialect, takesTemperature: false };
  if (!/max_(?:completion_)?tokens/.test(text)) return undefined;
  const isOld = dialect.maxTokensField === 'max_tokens';
  return { ...dialect, maxTokensField: isOld ? 'max_completion_tokens' : 'max_tokens' };
}
