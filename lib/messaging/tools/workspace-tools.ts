import * as z from 'zod/mini';
import type { ToolCall, ToolDefinition } from '#lib/ai/engine.ts';
import { type Hit, TextIndex } from '#lib/ai/retrieval/text-index.ts';
import type { FormAnswer, Found } from '#lib/ai/tool-answers.ts';
import type { Toolbox, ToolOutcome } from '#lib/ai/tool-loop.ts';
import { firstOf } from '#lib/domain/first-of.ts';
import type { Form } from '#lib/domain/forms/form.ts';
import { formTexts, inFormOrder } from '#lib/domain/forms/form-view.ts';
import { isObject, messageWithPath, parseWith } from '#lib/domain/input.ts';
import type { Agent } from '#lib/domain/messaging/agent.ts';
import { inLocale } from '#lib/domain/text/locale.ts';
import { withoutNulls } from '#lib/domain/text/localized.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import { Forms } from '#lib/table/forms/forms.ts';
import { StoredWorkspace } from '#lib/table/stored-workspace.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { ReaderLanguages } from '../knowledge/entry-facts.ts';
import { getProduct, listCategories, searchMenu } from './menu-tools.ts';
import { searchCms } from './search-cms.ts';
import { defineTool, name, query, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';

const formsMax = 100;
const listedMax = 10;
const fieldsMax = 25;

const getForm = defineTool({
  name: 'get_form',
  description:
    'Tells which fields a form has, such as one for contact or reservations; without a slug it lists the forms, those that match a query first.',
  input: z.object({ slug: name('The slug of the form.'), query: query('Words that the form may have.') }),
  run: async (input, { table, scope, languages, workspaceLanguages }) => {
    const { slug } = input;
    const forms = new StoredWorkspace(table, scope.workspaceId).records('form') as AsyncGenerator<Form>;
    const found =
      slug === undefined ? await firstOf(formsMax, forms) : [await new Forms(table, scope).findBySlug(slug)];
    const enabled = found
      .filter((form) => form?.enabled)
      .map((form) => inLocale(form as Form, formTexts, { languages: workspaceLanguages }) as Form);
    const matches = matchesOf(enabled, input.query);
    const matchOf = (form: Form): number => matches.get(form)?.match ?? 0;
    const shown = enabled.toSorted((a, b) => matchOf(b) - matchOf(a)).slice(0, listedMax);
    const results = shown.map((form) => formAnswer(form, matches.get(form), languages));
    const answer: Found<FormAnswer> = { results, total: enabled.length };
    const sources = shown.map(({ id, title }) => ({
      citation: { kind: 'form' as const, id },
      names: Object.values(title),
    }));
    return { answer, sources };
  },
});

function matchesOf(forms: readonly Form[], query: string): ReadonlyMap<Form, Hit<Form>> {
  const index = new TextIndex<Form>();
  for (const form of forms) {
    const minor = form.fields.flatMap(({ title }) => Object.values(title));
    index.add(form, { name: Object.values(form.title), texts: [form.slug], minor });
  }
  return new Map(index.search(query).map((hit) => [hit.document, hit]));
}

const formAnswer = ({ id, slug, title, fields }: Form, hit: Hit<Form> | undefined, languages: ReaderLanguages) => ({
  id,
  slug,
  title: languages.name(title),
  match: hit?.match ?? 0,
  named: hit?.named ?? false,
  fields: inFormOrder(fields)
    .filter(({ type }) => type !== 'HIDDEN')
    .slice(0, fieldsMax)
    .map((field) => ({
      ref: field.ref,
      title: languages.name(field.title),
      required: field.validations.required ?? false,
    })),
});

export interface WorkspaceToolsOptions {
  readonly table: Table;
  readonly scope: WorkspaceScope;
  readonly workspace: Pick<Workspace, 'languages' | 'defaultLanguage' | 'currency'>;
  readonly agent: Partial<Pick<Agent, 'language' | 'tools' | 'databases'>>;
  /** The language of the reply. */
  readonly language: string;
  readonly handOver: () => void;
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
export function workspaceTools({ workspace, agent, language, ...options }: WorkspaceToolsOptions): Toolbox {
  const { languages: workspaceLanguages, defaultLanguage, currency } = workspace;
  const languages = new ReaderLanguages([language, agent.language, defaultLanguage]);
  const isOpen = (modelId: string): boolean => agent.databases?.includes(modelId) ?? true;
  const context = { ...options, languages, workspaceLanguages, currency, isOpen };
  const tools = all.filter(({ name }) => agent.tools?.includes(name) ?? true);
  return {
    definitions: tools.map(definitionOf),
    call: async (call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool ? runTool(tool, call, context) : refused('There is no such tool.');
    },
  };
}

function definitionOf({ name, description, input }: Tool): ToolDefinition {
  const { $schema, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
  return { name, description, inputSchema };
}

async function runTool(tool: Tool, { input }: ToolCall, context: ToolContext): Promise<ToolOutcome> {
  // Models often send null for members that they omit.
  const { value, issues } = parseWith(tool.input, isObject(input) ? withoutNulls(input) : input);
  if (issues) {
    const mistakes = issues.map(messageWithPath);
    return refused(`The input is not valid. ${mistakes.join(' ')}`);
  }
  const { answer, sources } = await tool.run(value, context);
  return bounded(answer, sources);
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
