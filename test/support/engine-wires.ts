import { bedrockEngine } from '#lib/ai/bedrock/bedrock-engine.ts';
import { type Engine, type EngineRequest, engineSettings, type Part } from '#lib/ai/engine.ts';
import { openAiEngine } from '#lib/ai/openai/openai-engine.ts';
import { startBedrockServer } from './bedrock-server.ts';
import type { ModelServer } from './model-server.ts';
import { startOpenAiServer } from './openai-server.ts';

/** The short stall timeout. */
export const stallMilliseconds = 3_000;

interface ConnectedEngine {
  readonly server: ModelServer;
  /** The timeouts of the service, so that a busy machine makes no difference. */
  readonly engine: Engine;
  /** An engine with a short stall timeout. */
  readonly hasty: Engine;
}

/** The engines that call a network service, each with a server of its protocol. */
export const engineWires: readonly { readonly name: string; readonly connect: () => Promise<ConnectedEngine> }[] = [
  {
    name: 'openai',
    connect: async () => {
      const server = await startOpenAiServer();
      const { openAi } = engineSettings({ OPENAI_BASE_URL: server.url });
      return { server, engine: openAiEngine(openAi), hasty: openAiEngine(openAi, stallMilliseconds) };
    },
  },
  {
    name: 'bedrock',
    connect: async () => {
      const server = await startBedrockServer();
      Object.assign(process.env, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url });
      return { server, engine: bedrockEngine(), hasty: bedrockEngine(undefined, stallMilliseconds) };
    },
  },
];

export const engineRequest = (more: Partial<EngineRequest> = {}): EngineRequest => ({
  model: 'test-model',
  system: 'You answer.',
  messages: [{ role: 'user', text: 'How much is the kabsa?' }],
  tools: [],
  language: 'en',
  maxTokens: 100,
  signal: AbortSignal.timeout(20_000),
  ...more,
});

/** Reads all parts, until the end or the error. */
export async function partsOf(engine: Engine, request: EngineRequest = engineRequest()) {
  const parts: Part[] = [];
  try {
    for await (const part of engine.stream(request)) parts.push(part);
    return { parts, text: textOf(parts), error: undefined };
  } catch (error) {
    return { parts, text: textOf(parts), error: error as Error & { code?: string } };
  }
}

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
