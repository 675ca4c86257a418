import { firstCodePoints, longerThan } from '#lib/domain/text/code-points.ts';
import { escapeHtml } from '#lib/domain/text/escape-html.ts';
import { isArabic } from '#lib/domain/text/language-tag.ts';

/** A message to one person. */
export interface MailMessage {
  readonly to: string;
  /** The Reply-To address, if any. */
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The mail service is down, slow, throttled or not set up. A retry may succeed. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable';
}

/** The mail service refuses this message permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The fixed words of a mail about a form response. */
const english = {
  yes: 'Yes',
  no: 'No',
  /** @param receivedAt RFC 3339 */
  origin: (responseId: string, receivedAt: string) => `Response ${responseId}, received ${receivedAt}`,
  /** @param characters the length of the whole answer */
  cut: (characters: number) =>
    `[Cut: the whole answer has ${digits(characters)} characters and is stored with the response.]`,
};

export type Words = Readonly<typeof english>;

const arabic: Words = {
  yes: 'نعم',
  no: 'لا',
  origin: (responseId, receivedAt) => `الرد ${responseId}، وصل في ${receivedAt}`,
  cut: (characters) => `[مقتطع: عدد أحرف الإجابة كاملةً ${digits(characters)}، وهي محفوظة مع الرد.]`,
};

const digits = (count: number): string => count.toLocaleString('en');

/** @param language a language tag, e.g. `ar-SA`; all but Arabic becomes English */
export const wordsIn = (language: string | undefined): Words => (isArabic(language ?? '') ? arabic : english);

/** Safe HTML. Only the template tag below creates it. */
class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Value = string | number | Html | readonly Html[];

/** A template tag for HTML. It escapes every value except results of the tag itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, index) => part + markup(values[index] ?? '')).join(''));
}

/** The HTML of a mail. */
export const mailHtml = (language: string, title: string, content: Html): string =>
  `${html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${content}</body>
</html>
`}`;

/** The last line of a mail, which says where it comes from. */
export const originHtml = (origin: string): Html =>
  html`<p dir="auto" style="color: #666; font-size: 0.85em">${origin}</p>\n`;

function markup(value: Value): string {
  if (value instanceof Html) return value.toString();
  return typeof value === 'object' ? value.map(markup).join('') : escapeHtml(String(value));
}

const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** The lines of an untrusted text, without control and bidi characters (lib/spec/decisions.md section 5). */
export const plainLines = (text: string): string[] =>
  text
    .toWellFormed()
    .replaceAll('\t', ' ')
    .split(lineBreaks)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ''));

/** An untrusted text as a single line. */
export const plainLine = (text: string): string => plainLines(text).join(' ').replaceAll(/\s+/g, ' ').trim();

/** Cuts a text to a length, with an ellipsis at the end. */
export const shortened = (text: string, charactersMax: number): string =>
  longerThan(text, charactersMax) ? `${firstCodePoints(text, charactersMax - 1)}…` : text;
