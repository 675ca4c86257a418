import { type Engine, type EngineSettings, ModelError } from './engine.ts';
import { allowsModel } from './model-choice.ts';

/** The default engine, without a model of the agent or the environment. */
export const offlineModel = 'offline/retrieval-1';

export interface SelectedEngine {
  readonly engine: Engine;
  /** The engine's model. */
  readonly model: string;
  /** Engine and model, as stored on the reply. */
  readonly name: string;
}

/** The model of an agent: its own, that of the environment, or the offline engine. */
export const modelName = (agentModel: string | undefined, { defaultModel }: EngineSettings): string =>
  agentModel ?? defaultModel ?? offlineModel;

/**
 * Loads the engine of a model: `offline/retrieval-1`, `bedrock/<model or inference profile id>` or `openai/<model>`.
 * @throws ModelError for an unknown or unavailable engine; there is no fallback to another one
 */
export async function selectEngine(name: string, settings: EngineSettings): Promise<SelectedEngine> {
  const [, kind = '', model = ''] = /^([a-z]+)\/(\S+)$/.exec(name) ?? [];
  const engine = name === offlineModel || kind !== 'offline' ? await engines.get(kind)?.(settings) : undefined;
  if (!engine || !allowsModel(name, settings)) throw new ModelError('model_not_found', 'No engine has this name.');
  return { engine, model, name };
}

/** Shared by all requests of the container, with its connections and credentials. */
let bedrock: Promise<Engine> | undefined;

const engines = new Map<string, (settings: EngineSettings) => Promise<Engine>>([
  ['offline', async () => (await import('#lib/ai/offline/offline-engine.ts')).offlineEngine],
  [
    'bedrock',
    (settings) =>
      (bedrock ??= import('#lib/ai/bedrock/bedrock-engine.ts').then(({ bedrockEngine }) =>
        bedrockEngine(settings.bedrock),
      )),
  ],
  ['openai', async ({ openAi }) => (await import('./openai/openai-engine.ts')).openAiEngine(openAi)],
]);
