import { type Engine, ModelError } from './engine.ts';
import type { EngineSettings } from './engine-settings.ts';

/** The engine when neither the agent nor the environment names a model. */
export const offlineModel = 'offline/retrieval-1';

export interface SelectedEngine {
  readonly engine: Engine;
  /** The engine's model. */
  readonly model: string;
  /** Engine and model, as it is stored on the reply. */
  readonly name: string;
}

/** The model that an agent answers with: its own, else that of the environment, else the offline engine. */
export const modelName = (agentModel: string | undefined, { defaultModel }: EngineSettings): string =>
  agentModel ?? defaultModel ?? offlineModel;

/**
 * The engine of a model by its name: `offline/retrieval-1`, `bedrock/<model or inference profile id>` or
 * `openai/<model>`. An engine that is not asked for is not loaded.
 * @throws ModelError when there is no such engine, or when it cannot be reached: another one never steps in
 */
export async function selectEngine(name: string, settings: EngineSettings): Promise<SelectedEngine> {
  const [, kind = '', model = ''] = /^([a-z]+)\/(\S+)$/.exec(name) ?? [];
  const engine = name === offlineModel || kind !== 'offline' ? await engines.get(kind)?.(settings) : undefined;
  if (!engine) throw new ModelError('model_not_found', 'No engine has this name.');
  return { engine, model, name };
}

/** One for the life of the container, with its connections and credentials. */
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
