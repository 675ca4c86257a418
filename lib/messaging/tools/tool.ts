import * as z from 'zod/mini';
import type { Source } from '#lib/ai/citation.ts';
import type { AgentTool } from '#lib/domain/messaging/agent.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import type { ReaderLanguages } from '../knowledge/entry-facts.ts';

/** The table and scope of a tool. A model cannot choose them. */
export interface ToolContext {
  readonly table: Table;
  readonly scope: WorkspaceScope;
  readonly languages: ReaderLanguages;
  /** Texts in other languages are not shown. */
  readonly workspaceLanguages: readonly string[];
  readonly currency: string | null;
  /** Marks that the reply hands the conversation over. */
  readonly handOver: () => void;
  /** Whether the agent may read the CMS database with this id. */
  readonly isOpen: (modelId: string) => boolean;
}

export interface ToolAnswer {
  /** The answer as JSON. If it is too long, the last `results` are left out. */
  readonly answer: object & { readonly results?: readonly object[] };
  readonly sources: readonly Source[];
}

/** A look-up in the workspace, or the hand-over. The tool itself writes nothing. */
export interface Tool<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly name: AgentTool;
  /** For the model. */
  readonly description: string;
  readonly input: Schema;
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolAnswer>;
}

export const defineTool = <const Schema extends z.ZodMiniType>(tool: Tool<Schema>): Tool<Schema> => tool;

const queryCharactersMax = 1_000;
const nameCharactersMax = 200;

/** Words to search for; too many of them are cut, since the rest of a long message hardly matters. */
export const query = (description: string) =>
  z._default(
    z.pipe(
      z.string().check(z.describe(description)),
      z.transform((text: string) => text.slice(0, queryCharactersMax).trim()),
    ),
    '',
  );

/** A name or id. A blank one is treated as absent. */
export const name = (description: string) =>
  z.optional(
    z.pipe(
      z.string().check(z.maxLength(nameCharactersMax), z.describe(description)),
      z.transform((text: string) => text.trim() || undefined),
    ),
  );
