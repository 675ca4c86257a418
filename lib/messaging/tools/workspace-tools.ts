import * as z from 'zod/mini';
import type { ToolCall, ToolDefinition } from '#lib/ai/engine.ts';
import type { Toolbox, ToolOutcome } from '#lib/ai/tool-loop.ts';
import { isObject, messageWithPath, parseWith } from '#lib/domain/input.ts';
import type { AgentTool } from '#lib/domain/messaging/agent.ts';
import { withoutNulls } from '#lib/domain/text/localized.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { ReaderLanguages } from '../knowledge/entry-facts.ts';
import { getForm } from './get-form.ts';
import { getProduct, listCategories, searchMenu } from './menu-tools.ts';
import { searchCms } from './search-cms.ts';
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';

export interface WorkspaceToolsOptions {
  readonly table: Table;
  readonly scope: WorkspaceScope;
  /** The language of the reply. */
  readonly language: string;
  /** Used for texts that lack the language of the reply. */
  readonly fallbackLanguage?: string | undefined;
  /** The names of the tools. @default all of them */
  readonly allowed?: readonly AgentTool[] | undefined;
  /** The ids of the readable CMS databases. @default all of them */
  readonly databases?: readonly string[] | undefined;
  /** Called when the reply is to hand the conversation over. */
  readonly onHandOver?: () => void;
}

/**
 * Gives the conversation to the team, together with the reply: nothing happens if the reply fails
 * (lib/spec/additions.md section 3, "Hand-over").
 */
const handOver = defineTool({
  name: 'hand_over',
  description:
    'Hands the conversation over to the team. Call it when the customer asks for a person, or when you cannot help; then tell the customer that a member of the team will answer here.',
  input: z.object({}),
  run: async (_, context) => {
    context.handOver();
    return { answer: { handedOver: true }, sources: [] };
  },
});

const all = [searchMenu, getProduct, listCategories, searchCms, getForm, handOver] as unknown as readonly Tool[];
const outputCharactersMax = 6_000;

/**
 * The read-only tools of an agent in one workspace (lib/spec/decisions.md section 7). They see published products,
 * visible fields of published entries, and enabled forms.
 */
export function workspaceTools(options: WorkspaceToolsOptions): Toolbox {
  const tools = all.filter(({ name }) => options.allowed?.includes(name) ?? true);
  return {
    definitions: tools.map(definitionOf),
    call: async (call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool ? runTool(tool, call, options) : refused('There is no such tool.');
    },
  };
}

function definitionOf({ name, description, input }: Tool): ToolDefinition {
  const { $schema, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, inputSchema };
}

async function runTool(tool: Tool, { input }: ToolCall, options: WorkspaceToolsOptions): Promise<ToolOutcome> {
  // Models often send null for members that they omit.
  const { value, issues } = parseWith(tool.input, isObject(input) ? withoutNulls(input) : input);
  if (issues) {
    const mistakes = issues.map(messageWithPath);
    return refused(`The input is not valid. ${mistakes.join(' ')}`);
  }
  const { answer, sources } = await tool.run(value, await contextOf(options));
  return bounded(answer, sources);
}

async function contextOf(options: WorkspaceToolsOptions): Promise<ToolContext> {
  const { table, scope, language, fallbackLanguage, databases } = options;
  const workspace = await findWorkspace(table, scope.workspaceId);
  const languages = new ReaderLanguages([language, fallbackLanguage, workspace?.defaultLanguage]);
  const workspaceLanguages = workspace?.languages ?? [];
  const isOpen = (modelId: string): boolean => databases?.includes(modelId) ?? true;
  const currency = workspace?.currency ?? null;
  return {
    table,
    scope,
    languages,
    workspaceLanguages,
    currency,
    isOpen,
    handOver: () => options.onHandOver?.(),
  };
}

const refused = (error: string): ToolOutcome => ({
  output: JSON.stringify({ error: error.slice(0, 500) }),
  sources: [],
});

/** Leaves out the last results until the rest fits; their sources go with them. */
function bounded(answer: ToolAnswer['answer'], sources: ToolAnswer['sources']): ToolOutcome {
  const results = answer.results ?? [];
  for (let count = results.length; count > 0; count--) {
    const output = JSON.stringify({ ...answer, results: results.slice(0, count) });
    if (output.length <= outputCharactersMax || count === 1) return { output, sources: sources.slice(0, count) };
  }
  return { output: JSON.stringify(answer), sources };
}
