import type { Form } from '#lib/domain/forms/form.ts';
import { type Answer, type AnsweredFile, type FormResponse, fileText } from '#lib/domain/forms/form-response.ts';
import { type FormField, inFormOrder } from '#lib/domain/forms/form-view.ts';
import { firstCodePoints } from '#lib/domain/text/code-points.ts';
import { emailAddress } from '#lib/domain/text/email-address.ts';
import { textIn } from '#lib/domain/text/locale.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import {
  html,
  type MailMessage,
  mailHtml,
  originHtml,
  plainLine,
  plainLines,
  shortened,
  type Words,
  wordsIn,
} from './message.ts';

const subjectCharactersMax = 120;

/** The data of a response mail. */
export interface AnsweredForm {
  readonly response: FormResponse;
  /** Undefined if the form was removed; the mail then shows refs as titles. */
  readonly form: Form | undefined;
  /** The languages of the workspace, its default one first. */
  readonly languages: readonly string[];
  /** The files that answers to FILE fields name, by ref. */
  readonly files?: Readonly<Record<string, readonly AnsweredFile[]>>;
}

/**
 * The mail about a form response, with the answers under their titles in form order (lib/spec/decisions.md section 5).
 * The same for every recipient.
 */
export function responseMail({ response, form, languages, files = {} }: AnsweredForm): Omit<MailMessage, 'to'> {
  const fields = inFormOrder(form?.fields ?? []);
  const title = lineIn(form?.title ?? {}, languages) ?? form?.slug ?? response.formId;
  const answers = answersInOrder(fields, response, languages, files);
  const origin = wordsIn(languages[0]).origin(response.id, response.createdAt);
  return {
    replyTo: replyTo(fields, response),
    subject: shortened(title, subjectCharactersMax),
    text: [title, '='.repeat(10), '', ...answers.flatMap(textOf), '-- ', origin, ''].join('\n'),
    html: mailHtml(
      languages[0] ?? 'en',
      title,
      html`<h1 dir="auto" style="font-size: 1.3em">${title}</h1>\n${answers.map(htmlOf)}${originHtml(origin)}`,
    ),
  };
}

/** Answers to removed fields come last. */
function answersInOrder(
  fields: readonly FormField[],
  { answers }: FormResponse,
  languages: readonly string[],
  files: NonNullable<AnsweredForm['files']>,
): ShownAnswer[] {
  const filesOf = new Map(Object.entries(files));
  const fieldOf = new Map(fields.map((field) => [field.ref, field]));
  const refs = new Set([...fieldOf.keys(), ...Object.keys(answers)]);
  return [...refs]
    .filter((ref) => Object.hasOwn(answers, ref))
    .map((ref) => shownAnswer(ref, answers[ref] ?? '', fieldOf.get(ref), languages, filesOf.get(ref)));
}

function replyTo(fields: readonly FormField[], { answers }: FormResponse): string | undefined {
  const candidates = fields
    .filter(({ type, ref }) => type === 'EMAIL' && Object.hasOwn(answers, ref))
    .map(({ ref }) => answers[ref]);
  const texts = candidates.filter((answer) => typeof answer === 'string');
  return texts.map(emailAddress).find((address) => address !== undefined);
}

/** Lines start only with titles or fixed text, so that no answer can imitate another. */
function textOf({ title, values, note }: ShownAnswer): string[] {
  const indent = '  ';
  const lines = values.flatMap((value) =>
    values.length === 1
      ? value.map((line) => indent + line)
      : value.map((line, index) => `${indent}${index === 0 ? '- ' : '  '}${line}`),
  );
  return [title, ...lines, ...(note === undefined ? [] : [note]), ''];
}

const htmlOf = ({ title, values, note }: ShownAnswer) =>
  html`<h2 dir="auto" style="font-size: 1em; margin: 1em 0 0">${title}</h2>
${values.map((lines) => html`<div dir="auto" style="white-space: pre-wrap; margin: 0 1.5em">${lines.join('\n')}</div>\n`)}${
  note === undefined ? '' : html`<p dir="auto" style="color: #666">${note}</p>\n`
}`;

const answerCharactersMax = 10_000;
const titleCharactersMax = 200;

/** An answer in a mail, for both parts. */
interface ShownAnswer {
  /** One line. */
  readonly title: string;
  /** Each value is a text or an option's label, in lines. */
  readonly values: readonly (readonly string[])[];
  /** The length of the whole answer, in words, if only its beginning is shown. */
  readonly note: string | undefined;
}

/** @param languages in order of preference @returns undefined if no language has a non-blank text */
function lineIn(localized: Localized, languages: readonly string[]): string | undefined {
  const text = textIn(localized, { chain: [...languages, ...Object.keys(localized)] });
  return text === null ? undefined : plainLine(text);
}

/**
 * @param field undefined if it was removed from the form
 * @param files of an answer to a FILE field, in the order of its ids
 */
function shownAnswer(
  ref: string,
  answer: Answer,
  field: FormField | undefined,
  languages: readonly string[],
  files?: readonly AnsweredFile[],
): ShownAnswer {
  const words = wordsIn(languages[0]);
  const options = field?.validations.options ?? [];
  const labelled = (value: string): string => {
    if (field?.type === 'EMAIL') return shownEmail(value);
    const label = lineIn(options.find((option) => option.value === value)?.label ?? {}, languages);
    return label === undefined || label === value ? value : `${label} (${value})`;
  };
  const texts =
    files?.map(fileText) ?? (Array.isArray(answer) ? answer.map(labelled) : [labelled(written(answer, words))]);
  const length = texts.reduce((sum, text) => sum + charactersOf(text), 0);
  const isCut = length > answerCharactersMax;
  return {
    title: shortened(lineIn(field?.title ?? {}, languages) ?? ref, titleCharactersMax),
    values: (isCut ? beginningOf(texts) : texts).map(plainLines),
    note: isCut ? words.cut(length) : undefined,
  };
}

function written(answer: string | number | boolean, { yes, no }: Words): string {
  if (typeof answer === 'boolean') return answer ? yes : no;
  return String(answer);
}

function beginningOf(texts: readonly string[]): string[] {
  const shown: string[] = [];
  let room = answerCharactersMax;
  for (const text of texts) {
    if (room <= 0) break;
    const beginning = firstCodePoints(text, room);
    shown.push(beginning);
    room -= charactersOf(beginning);
  }
  return shown;
}

const charactersOf = (text: string): number => [...text].length;
