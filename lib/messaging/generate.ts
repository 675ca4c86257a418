import { randomBytes } from 'node:crypto';
import { engineSettings, ModelError } from '#lib/ai/engine.ts';
import { dialectOf } from '#lib/ai/model-choice.ts';
import { modelName, offlineModel, selectEngine } from '#lib/ai/select-engine.ts';
import { TokenMeter } from '#lib/ai/token-meter.ts';
import { type CallBudget, generateReply, type ReplyEnd, type Toolbox } from '#lib/ai/tool-loop.ts';
import type { Agent } from '#lib/domain/messaging/agent.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Workspace } from '#lib/domain/workspace.ts';
import type { Trace } from '#lib/http/request-state.ts';
import { Channels } from '#lib/table/messaging/channels.ts';
import type { Table, WorkspaceScope } from '#lib/table/table.ts';
import { type ReplyContext, type ReplyJob, systemPrompt, turnsOf } from './reply-context.ts';
import { ReplyLinks } from './reply-links.ts';
import type { ReplyMailbox } from './reply-mailbox.ts';
import { workspaceTools } from './tools/workspace-tools.ts';

const tokensDefault = 1_024;
/** Above the length of any reply. It bounds memory if a server never stops. */
const charactersMax = 50_000;

/** Anything but white space, control and format characters. */
const visible = /[^\s\p{Cc}\p{Cf}]/u;

/** The result of a generation, without its text. */
export interface Generated {
  readonly model: string;
  readonly end: ReplyEnd;
  /** The agent gives the conversation to the team. */
  readonly handsOver: boolean;
}

const nothing = 'The model answered nothing.';
const thoughtOnly =
  "The model used up its output before its first word: raise the agent's maxTokens or the model's reasoningTokens, or lower its reasoningEffort.";

interface Generation {
  readonly scope: WorkspaceScope;
  /** Its deadline covers the whole generation. */
  readonly table: Table;
  /** Bounds the model calls. Opened only if the deployment limits the tokens per day. */
  readonly openBudget: (tokensPerDay: number) => CallBudget;
  readonly signal: AbortSignal;
}

/**
 * Writes the model's reply into the mailbox at the model's own speed.
 * @throws ModelError, Unavailable, ReplyFailed when the workspace has no tokens left
 */
export async function generate(
  { agent, answered, conversation, workspace, trace, counters }: ReplyContext & Pick<ReplyJob, 'trace' | 'counters'>,
  { scope, table, openBudget, signal }: Generation,
  mailbox: ReplyMailbox,
): Promise<Generated> {
  const settings = engineSettings();
  const model = modelName(agent.model, settings);
  const dialect = dialectOf(model, settings);
  const language = replyLanguage({ conversation, text: answered.message.text, agent, workspace });
  const request = {
    system: systemPrompt(agent, workspace, language),
    messages: turnsOf(answered),
    language,
    maxTokens: (agent.maxTokens ?? tokensDefault) + (dialect.reasoningTokens ?? 0),
    temperature: agent.temperature,
    dialect,
    reasoning: agent.reasoning,
    traceparent: trace && traceparentOf(trace),
    signal,
  };
  let handsOver = false;
  const handOver = (): void => {
    handsOver = true;
  };
  const tools = workspaceTools({ table, scope, workspace, agent, language, handOver });
  const links = linksOf({ agent, answered }, new Channels(table, scope));
  const selected = await selectEngine(model, settings);
  const isBounded = settings.tokensPerDay !== undefined && model !== offlineModel;
  const budget = isBounded ? openBudget(settings.tokensPerDay) : undefined;
  const meter = new TokenMeter();
  let end: ReplyEnd | undefined;
  try {
    for await (const part of generateReply(selected, request, allowing(links, tools), { meter, budget })) {
      if (part.type === 'end') end = part;
      else push(mailbox, await links.push(part.delta));
    }
  } finally {
    counters.aiTokens = model === offlineModel ? 0 : meter.spent;
  }
  push(mailbox, await links.end());
  if (!end) throw new ModelError('unavailable', 'The model ended without saying so.');
  if (!visible.test(mailbox.text)) throw new ModelError('unavailable', end.reason === 'length' ? thoughtOnly : nothing);
  return { model, end, handsOver };
}

/** The links of the workspace itself: in the agent's instructions and in the team's messages. */
function linksOf({ agent, answered }: Pick<ReplyContext, 'agent' | 'answered'>, channels: Channels): ReplyLinks {
  const links = new ReplyLinks(async (host) => (await channels.findWebsite(host)) !== undefined);
  links.allow(agent.instructions);
  for (const { senderType, text } of answered.history) if (senderType === 'member') links.allow(text);
  return links;
}

/** The same tools, which also allow the links in their results. */
const allowing = (links: ReplyLinks, { definitions, call }: Toolbox): Toolbox => ({
  definitions,
  call: async (toolCall) => {
    const outcome = await call(toolCall);
    links.allow(outcome.output);
    return outcome;
  },
});

function push(mailbox: ReplyMailbox, text: string): void {
  if (mailbox.text.length + text.length > charactersMax) throw new ModelError('unavailable', 'The reply has no end.');
  if (text !== '') mailbox.push(text);
}

/** Scripts that indicate a language, each with its most likely one. */
const scripts = [
  { letters: /\p{Script=Arabic}/gu, names: ['Arab'], language: 'ar' },
  { letters: /\p{Script=Latin}/gu, names: ['Latn'], language: 'en' },
  { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, names: ['Jpan'], language: 'ja' },
  { letters: /\p{Script=Hangul}/gu, names: ['Kore'], language: 'ko' },
  { letters: /\p{Script=Han}/gu, names: ['Hans', 'Hant'], language: 'zh' },
  { letters: /\p{Script=Cyrillic}/gu, names: ['Cyrl'], language: 'ru' },
  { letters: /\p{Script=Greek}/gu, names: ['Grek'], language: 'el' },
  { letters: /\p{Script=Hebrew}/gu, names: ['Hebr'], language: 'he' },
  { letters: /\p{Script=Devanagari}/gu, names: ['Deva'], language: 'hi' },
  { letters: /\p{Script=Thai}/gu, names: ['Thai'], language: 'th' },
] as const;

/** The beginning of a long text is enough to detect its script. */
const lettersMax = 2_000;

interface LanguageSources {
  readonly conversation: Pick<Conversation, 'language'>;
  /** The text of the answered message. */
  readonly text: string;
  readonly agent: Pick<Agent, 'language'>;
  readonly workspace: Pick<Workspace, 'languages' | 'defaultLanguage'>;
}

/** The language of the conversation, the message's script, the agent or the workspace (lib/spec/decisions.md section 7). */
export function replyLanguage({ conversation, text, agent, workspace }: LanguageSources): string {
  const preferred = [agent.language, workspace.defaultLanguage, ...workspace.languages].filter(
    (language) => language !== undefined,
  );
  return conversation.language ?? languageOf(text, preferred) ?? preferred[0] ?? workspace.defaultLanguage;
}

/** The first preferred language in the text's script, else the script's most likely language. */
function languageOf(text: string, preferred: readonly string[]): string | undefined {
  const start = text.slice(0, lettersMax);
  const counted = scripts.map((script) => ({ ...script, count: start.match(script.letters)?.length ?? 0 }));
  const most = counted.reduce((best, script) => (script.count > best.count ? script : best));
  if (most.count === 0) return undefined;
  const names: readonly string[] = most.names;
  return preferred.find((language) => names.includes(scriptOf(language))) ?? most.language;
}

function scriptOf(language: string): string {
  try {
    return new Intl.Locale(language).maximize().script ?? '';
  } catch {
    return '';
  }
}

/** The header for a call that a request makes. */
const traceparentOf = ({ id, flags }: Trace): string => `00-${id}-${randomBytes(8).toString('hex')}-${flags}`;
