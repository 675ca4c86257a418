import type { Agent } from '#lib/domain/messaging/agent.ts';
import type { Conversation } from '#lib/domain/messaging/conversation.ts';
import type { Workspace } from '#lib/domain/workspace.ts';

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
