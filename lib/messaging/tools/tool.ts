import type * as z from 'zod/mini';
import type { Source } from '#lib/ai/citation.ts';
import type { AgentTool } from '#lib/domain/agent.ts';
import type { WorkspaceScope } from '#lib/domain/principal.ts';
import type { Table } from '#lib/table/table.ts';
import type { ReaderLanguages } from '../knowledge/reader-languages.ts';

/** What a tool reads from and for whom; a model has no say in any of it. */
export interface ToolContext {
  readonly table: Table;
  readonly scope: WorkspaceScope;
  readonly languages: ReaderLanguages;
  readonly currency: string | null;
}

export interface ToolAnswer {
  /** Becomes JSON; where it is too long, the last of `results` are left out. */
  readonly answer: object & { readonly results?: readonly object[] };
  readonly sources: readonly Source[];
}

/** A read-only look-up in the workspace. */
export interface Tool<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: AgentTool;
  /** For the model. */
  readonly description: string;
  readonly input: Schema;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolAnswer>;
}

export const defineTool = <const Schema extends z.ZodMiniType>(tool: Tool<Schema>): Tool<Schema> => tool;
