import { type Engine, engineSettings, type ToolCall, type Turn } from '#lib/ai/engine.ts';
import { paced } from '#lib/ai/offline/offline-engine.ts';
import { offlineModel, selectEngine } from '#lib/ai/select-engine.ts';
import { generateReply, type ReplyEnd } from '#lib/ai/tool-loop.ts';
import { type WorkspaceToolsOptions, workspaceTools } from '#lib/messaging/tools/workspace-tools.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import type { Opened } from './presets/preset.ts';
import { testTable } from './world.ts';

type Options = Partial<Pick<WorkspaceToolsOptions, 'agent' | 'language' | 'handOver'>> & {
  readonly maxTokens?: number;
  readonly engine?: Engine;
};

export async function toolsOf({ workspaceId }: Pick<Opened, 'workspaceId'>, options: Options = {}) {
  const table = testTable();
  const workspace = await findWorkspace(table, workspaceId);
  if (!workspace) throw new Error('The workspace is not stored.');
  const defaults = { agent: {}, language: 'en', handOver: () => undefined };
  return workspaceTools({ table, scope: { workspaceId }, workspace, ...defaults, ...options });
}

/** The answer of one tool, and its records. */
export async function callTool(
  demo: Pick<Opened, 'workspaceId'>,
  name: ToolCall['name'],
  input: object,
  options?: Options,
) {
  const { output, sources } = await (await toolsOf(demo, options)).call({ id: 'call_1', name, input });
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its answer.
  return { output, json: JSON.parse(output) as any, citations: sources.map(({ citation }) => citation) };
}

export interface Reply extends ReplyEnd {
  readonly text: string;
  readonly deltas: readonly string[];
}

/** The offline engine without its pauses between words. */
const atOnce = paced(0);

/** The offline engine's reply to a message, or to the last message of a conversation. */
export async function ask(
  demo: Pick<Opened, 'workspaceId'>,
  said: string | readonly Turn[],
  options: Options = {},
): Promise<Reply> {
  const named = await selectEngine(offlineModel, engineSettings({}));
  const selected = { ...named, engine: options.engine ?? atOnce };
  const messages: readonly Turn[] = typeof said === 'string' ? [{ role: 'user', text: said }] : said;
  const language = options.language ?? 'en';
  const request = {
    system: '',
    messages,
    language,
    maxTokens: options.maxTokens ?? 1_024,
    signal: AbortSignal.timeout(20_000),
  };
  const deltas: string[] = [];
  for await (const part of generateReply(selected, request, await toolsOf(demo, options))) {
    if (part.type === 'end') return { ...part, text: deltas.join(''), deltas };
    deltas.push(part.delta);
  }
  throw new Error('The reply has no end.');
}
