import type { Agent } from '#lib/domain/agent.ts';
import type { Conversation } from '#lib/domain/conversation.ts';
import type { Workspace } from '#lib/domain/workspace.ts';

/** The scripts that tell something about a language, with the language most likely meant by each. */
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

/** A long text shows its script long before its end. */
const lettersMax = 2_000;

interface Speakers {
  readonly conversation: Pick<Conversation, 'language'>;
  /** The text answered. */
  readonly text: string;
  readonly agent: Pick<Agent, 'language'>;
  readonly workspace: Pick<Workspace, 'languages' | 'defaultLanguage'>;
}

/** Conversation, else the message by its script, else agent, else workspace (lib/spec/decisions.md section 7). */
export function replyLanguage({ conversation, text, agent, workspace }: Speakers): string {
  const preferred = [agent.language, workspace.defaultLanguage, ...workspace.languages].filter(
    (one) => one !== undefined,
  );
  return conversation.language ?? languageOf(text, preferred) ?? preferred[0] ?? workspace.defaultLanguage;
}

/** The first of the languages that is written in the script of a text, else the one most likely meant by it. */
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
